import fc from 'fast-check';
import {
  namedIndexes,
  servedIndexes,
} from '../../../plugins/kibana-clickhouse/gateway/index-expression';
import { decideRoute } from '../../../plugins/kibana-clickhouse/gateway/route';

const served = servedIndexes({
  whiteIndexList: ['logs', 'Access_Log', 'logs-2026.11.21', 'größe', 'hidden', '.kibana', '_bulk'],
  blackIndexList: ['hidden'],
});

const kind = (uri: string, prefix = ''): string => decideRoute(uri, prefix, served).kind;

describe('paths that are ours', () => {
  test.each([
    '/logs/_search',
    '/Access_Log/_async_search',
    '/gr%C3%B6%C3%9Fe/_search',
    '/l%6Fgs/_search',
    '//logs//_search/',
    '/logs',
    '/logs/_bulk',
    '/logs/_doc/1',
    '/logs/_unknown/of/any/depth',
    '/other,logs/_search',
    '/other%2Clogs/_search',
    '/other%2clogs,.kibana/_search',
    '/lo*/_search',
    '/lo%2A/_field_caps',
    '/*gs/_search',
    '/l*o*s/_search',
    '/*,logs/_search',
    '/<logs-{now%2Fd}>/_search',
    '/%3Clogs-%7Bnow%2Fd%7D%3E/_search',
    '/%3Clogs-%7Bnow%2Fd%7Buuuu.MM.dd%7D%7D%3E/_search',
    '/_resolve/index/logs',
    '/_resolve/index/a,lo*',
    '/_resolve/index/*',
    '/_resolve/index/_all',
    '/_resolve/index/*,-other*',
    '/_resolve/inde%78/logs',
    '/_msearch',
    '/_search',
    '/_async_search',
    '/_search/scroll',
    '/_pit',
    '/_search/point_in_time',
    '/_msearch/',
    '/other/_msearch',
    '/logs/_msearch',
  ])('%s', (uri) => {
    expect(decideRoute(uri, '', served)).toEqual({ kind: 'ours' });
  });
});

describe('paths that go to Elasticsearch', () => {
  test.each([
    '',
    '/',
    '/_bulk',
    '/_mget',
    '/_all/_search',
    '/*/_search',
    '/**/_search',
    '/*%2C-x/_search',
    '/LOGS/_search',
    '/log/_search',
    '/logs2/_search',
    '/-logs/_search',
    '/lo*,-logs*/_search',
    '/cluster:logs/_search',
    '/cluster%3Alogs/_search',
    '/*:logs/_search',
    '/logs::data/_search',
    '/hidden/_search',
    '/hid*/_search',
    '/.kibana/_search',
    '/.k*/_search',
    '/logs%2F_search',
    '/l%256Fgs/_search',
    '/logs+/_search',
    '/lo%FFgs/_search',
    '/<logs-{now/d}',
    '/<other-{now%2Fd}>/_search',
    '/_resolve/index/other',
    '/_resolve/cluster/logs',
    '/_cat/shards/logs',
    '/_cat/count',
    '/_alias/logs',
    '/other/_alias',
    '/.kibana/_alias',
    '/_msearch/template',
    '/other/_doc/100%',
  ])('%s', (uri) => {
    expect(decideRoute(uri, '', served)).toEqual({ kind: 'pass' });
  });
});

test.each(['/lo%zzgs/_search', '/logs%', '/%2', '/_resolve/index/%G1'])(
  'a malformed escape where an index stands is refused: %s',
  (uri) => {
    expect(decideRoute(uri, '', served)).toMatchObject({
      kind: 'ours',
      refusal: expect.stringContaining('malformed percent-escape'),
    });
  },
);

test("the Service's path is taken off, however it is spelled", () => {
  expect(kind('/es/v1/logs/_search', '/es/v1')).toBe('ours');
  expect(kind('/es/v1/other/_search', '/es/v1')).toBe('pass');
  expect(kind('/e%20s/logs/_search', '/e s')).toBe('ours');
  expect(kind('/logs/logs/_search', '/logs')).toBe('ours');
  expect(kind('/logs/other/_search', '/logs')).toBe('pass');
  expect(kind('/logs', '/logs')).toBe('pass');
  expect(kind('/logs/_search', '/rewritten')).toBe('ours');
});

test('nothing is served without a whitelist', () => {
  for (const lists of [{}, { whiteIndexList: null, blackIndexList: null }, { whiteIndexList: [] }])
    expect(decideRoute('/logs/_search', '', servedIndexes(lists))).toEqual({ kind: 'pass' });
});

test('an expression names what Elasticsearch resolves it to', () => {
  const named = (expression: string): readonly string[] => [...namedIndexes(expression, served)];
  expect(named('lo*')).toEqual(['logs', 'logs-2026.11.21']);
  expect(named('lo*,-logs-*')).toEqual(['logs']);
  expect(named('logs,-logs')).toEqual(['logs']);
  expect(named('x*,logs,-logs')).toEqual([]);
  expect(named('*,-logs,größe')).toEqual(['größe']);
  expect(named('<logs-{now/d}>')).toEqual(['logs-2026.11.21']);
  expect(named('<logs-{now/d}>,logs')).toEqual(['logs-2026.11.21', 'logs']);
});

const chars = (text: string): readonly string[] => Array.from(text);

const encodeSome = (text: string): fc.Arbitrary<string> =>
  fc
    .array(fc.constantFrom('raw', 'upper', 'lower'), {
      minLength: chars(text).length,
      maxLength: chars(text).length,
    })
    .map((choices) =>
      chars(text)
        .map((char, i) => {
          if (choices[i] === 'raw' && /[\w.,*-]/.test(char)) return char;
          const hex = [...Buffer.from(char)].map((b) => `%${b.toString(16).padStart(2, '0')}`);
          return choices[i] === 'upper' ? hex.join('').toUpperCase() : hex.join('');
        })
        .join(''),
    );

const foreign = fc.stringMatching(/^[a-z][a-z0-9-]{0,8}$/).filter((name) => !served.has(name));
const servedName = fc.constantFrom(...served);

/** The name itself, or with any of its pieces replaced by stars. */
const pattern = servedName.chain((name) =>
  fc
    .tuple(fc.nat(chars(name).length - 1), fc.nat(chars(name).length))
    .map(
      ([from, length]) =>
        chars(name).slice(0, from).join('') +
        '*' +
        chars(name)
          .slice(from + length)
          .join(''),
    )
    .filter((text) => !/^\*+$/.test(text)),
);

const spelling = fc
  .tuple(
    fc.array(foreign, { maxLength: 3 }),
    fc.oneof(servedName, pattern),
    fc.array(foreign, { maxLength: 3 }),
  )
  .chain(([before, own, after]) => encodeSome([...before, own, ...after].join(',')));

const slashes = fc.constantFrom('/', '//', '///');
const rest = fc.constantFrom('_search', '_async_search', '_field_caps', '_count', '_doc/1', '');

test('every spelling that Elasticsearch would resolve to a served name is ours', () => {
  fc.assert(
    fc.property(spelling, slashes, slashes, rest, (index, one, two, end) => {
      expect(kind(`${one}${index}${two}${end}`)).toBe('ours');
      expect(kind(`/es${one}${index}${two}${end}`, '/es')).toBe('ours');
      expect(kind(`${one}_resolve${two}index/${index}`)).toBe('ours');
    }),
    { numRuns: 2_000 },
  );
});

test('names that are not served pass, alone or together', () => {
  const names = fc
    .array(foreign, { minLength: 1, maxLength: 4 })
    .chain((all) => encodeSome(all.join(',')));
  fc.assert(
    fc.property(names, rest, (index, end) => {
      expect(kind(`/${index}/${end}`)).toBe('pass');
    }),
    { numRuns: 1_000 },
  );
});

test('no path makes the decision throw, and a repeated one decides alike', () => {
  const piece = fc.constantFrom(
    '/',
    '%',
    '%2',
    '%2C',
    '*',
    ',',
    '<',
    '>',
    '{',
    '}',
    '-',
    'logs',
    '_msearch',
    '\u0000',
    'ö',
  );
  const path = fc.array(fc.oneof(piece, fc.string({ unit: 'binary', maxLength: 4 })), {
    maxLength: 30,
  });
  fc.assert(
    fc.property(path, fc.string(), (pieces, prefix) => {
      const uri = pieces.join('');
      expect(decideRoute(uri, prefix, served)).toEqual(decideRoute(uri, prefix, served));
    }),
    { numRuns: 2_000 },
  );
});

test('a path of any length and shape is decided without backtracking', () => {
  const long = `/${'*a'.repeat(4_000)}/_search`;
  const dates = `/<${'{now{x}}'.repeat(1_000)}>/_search`;
  const escapes = `/${'%25'.repeat(3_000)}/_search`;
  for (const uri of [long, dates, escapes, '/'.repeat(8_000)])
    expect(['pass', 'ours']).toContain(kind(uri));
});
