import { matchEndpoint } from '../../../plugins/kibana-clickhouse/gateway/endpoints/match';
import { ENDPOINTS } from '../../../plugins/kibana-clickhouse/gateway/endpoints/table';

// Processes are started or many modules compiled: slow on a busy machine.
jest.setTimeout(60_000);

const match = (method: string, path: string, role: 'proxy' | 'admin' = 'proxy'): unknown => {
  const found = matchEndpoint({ role, method, path });
  return found.kind === 'found' ? [found.endpoint.name, found.params] : found;
};

test.each([
  ['GET', '/logs/_search', 'search', { index: 'logs' }],
  ['POST', '/a%2Clogs*/_search/', 'search', { index: 'a,logs*' }],
  ['POST', '//gr%C3%B6%C3%9Fe/_async_search', 'async-search', { index: 'größe' }],
  ['POST', '/_msearch', 'msearch', {}],
  ['GET', '/logs/_msearch', 'msearch', { index: 'logs' }],
  ['POST', '/logs/_field_caps', 'field-caps', { index: 'logs' }],
  ['GET', '/_resolve/index/l%6Fgs', 'resolve-index', { index: 'logs' }],
])('%s %s', (method, path, name, params) => {
  expect(match(method, path)).toEqual([name, params]);
});

test('admin paths belong to the admin role alone', () => {
  expect(match('GET', '/config/all', 'admin')).toEqual(['config-all', {}]);
  expect(match('GET', '/health/live', 'admin')).toEqual(['health-live', {}]);
  expect(match('GET', '/config/all')).toEqual({ kind: 'none' });
  expect(match('GET', '/logs/_search', 'admin')).toEqual({ kind: 'none' });
});

test('a known path with another method names the methods that are allowed', () => {
  expect(match('DELETE', '/logs/_search')).toEqual({
    kind: 'method-not-allowed',
    allow: ['GET', 'POST'],
  });
});

test.each(['/', '/_logs', '/logs/_search/x', '/_resolve/cluster/logs', '/logs/_SEARCH'])(
  'no endpoint: %s',
  (path) => {
    expect(match('GET', path)).toEqual({ kind: 'none' });
  },
);

test('a malformed escape is an Elasticsearch error', () => {
  expect(() => match('GET', '/lo%zz/_search')).toThrow(
    expect.objectContaining({ status: 400, type: 'illegal_argument_exception' }),
  );
});

test.each(ENDPOINTS)('$path ($name) has a handler', async ({ load }) => {
  expect(typeof (await load()).handle).toBe('function');
});
