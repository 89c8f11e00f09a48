import {
  isAsyncSearchId,
  newAsyncSearchId,
} from '../../../plugins/kibana-clickhouse/gateway/async-search/async-search-id';
import { servedIndexes } from '../../../plugins/kibana-clickhouse/gateway/index-expression';
import { decideRoute } from '../../../plugins/kibana-clickhouse/gateway/route';

const served = servedIndexes({ whiteIndexList: ['logs'] });
const elasticsearchs = 'FmRldE8zREVEUzA2ZVpUeGs2ejJFUFEaMkZ5QTVrSTZSaVN3WlNFVmtlWHJsdzoxMDc=';

test('every id is another, and known as ours', () => {
  const ids = Array.from({ length: 1_000 }, newAsyncSearchId);
  expect(new Set(ids).size).toBe(1_000);
  expect(ids.every(isAsyncSearchId)).toBe(true);
});

test.each([
  elasticsearchs,
  '',
  'kch.',
  'kch.short',
  `kch.${'a'.repeat(28)}`,
  `kch.${'/'.repeat(27)}`,
])('not ours: %s', (id) => {
  expect(isAsyncSearchId(id)).toBe(false);
});

test.each([
  ['/_async_search/{id}', '/_async_search/'],
  ['/_async_search/status/{id}', '/_async_search/status/'],
])('%s goes where its id says', (_path, start) => {
  const own = newAsyncSearchId();
  expect(decideRoute(`${start}${own}`, '', served).kind).toBe('ours');
  expect(decideRoute(`/es${start}${own.replace('.', '%2E')}`, '/es', served).kind).toBe('ours');
  expect(decideRoute(`${start}${elasticsearchs}`, '', served).kind).toBe('pass');
  expect(decideRoute(`${start}${encodeURIComponent(elasticsearchs)}`, '', served).kind).toBe(
    'pass',
  );
  expect(decideRoute(`${start}%`, '', served).kind).toBe('pass');
});
