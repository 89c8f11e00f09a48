import type { ElasticsearchError } from '../../../plugins/kibana-clickhouse/common/errors/elasticsearch-error';
import type { JsonValue } from '../../../plugins/kibana-clickhouse/common/json/json';
import { type Documents, openDocuments } from './documents';

/*
 * Expected answers are Elasticsearch 7.17's for the same documents. Document 1 has every field,
 * document 2 empty and smallest values, document 3 nothing at all, 4 and 5 the extremes.
 */
const statements = [
  `CREATE TABLE docs (
    id UInt32, kw LowCardinality(Nullable(String)), s Nullable(String), n Nullable(Int64),
    u8 Nullable(UInt8), i32 Nullable(Int32), i8 Nullable(Int8), u64 Nullable(UInt64),
    f Nullable(Float32), d Nullable(Float64), dec Nullable(Decimal(10, 2)), b Nullable(Bool),
    ip4 Nullable(IPv4), ip6 Nullable(IPv6), e Nullable(Enum8('red' = 2, 'blue' = 1)), u Nullable(UUID),
    fs Nullable(FixedString(4)), arr Array(Nullable(Int64)), tags Array(String), low Array(LowCardinality(String)) DEFAULT tags, bs Array(Bool),
    labels Map(String, String), odd Variant(String, Map(Date, String)), n_t Tuple(a Nullable(UInt8), b Nullable(String))
  ) ENGINE = MergeTree ORDER BY id`,
  `INSERT INTO docs (id, kw, s, n, u8, i32, i8, u64, f, d, dec, b, ip4, ip6, e, u, fs, arr, tags, bs, labels, odd, n_t) VALUES
    (1, 'GET', 'Hello World', 9007199254740993, 200, -5, -7, 18446744073709551615, 1.1, 1.5, 1.10, true,
      '10.0.0.1', '2001:db8::1', 'red', '6fa459ea-ee8a-3ca4-894e-db77e160355e', 'ab', [1, NULL, 5],
      ['x', 'Y'], [true, false], {'team': 'red', 'a.b': 'c'}, 'v', (1, 'q')),
    (2, '', '', 0, 0, 0, 0, 0, 0, 0, 0, false, '0.0.0.0', '::', 'blue',
      '00000000-0000-0000-0000-000000000000', '', [], [''], [], {'team': ''}, 7, (NULL, NULL))`,
  `INSERT INTO docs (id) VALUES (3)`,
  `INSERT INTO docs (id, kw, s, n, i32, u8, ip6, tags) VALUES
    (4, 'get', '100% ÄRGER_x\\\\y\nz', 9007199254740992, 2147483647, 255, '::ffff:10.0.0.1', ['a', 'b']),
    (5, 'a b', '日本語 🎉 it''s', -9223372036854775808, -2147483648, 1, '::1', [])`,
];

let documents: Documents;
beforeAll(async () => {
  documents = await openDocuments(statements);
});
afterAll(() => documents.close());

type Case = readonly [JsonValue, readonly number[]];

const finds = (cases: readonly Case[]): void => {
  test.each(cases.map(([query, ids]) => [name(query), query, ids] as const))(
    '%s',
    async (_name, query, ids) => {
      expect(await documents.find(query)).toEqual(ids);
    },
  );
};
const name = (query: JsonValue): string => JSON.stringify(query, exact).slice(0, 120);
const exact = (_key: string, value: unknown): unknown =>
  typeof value === 'bigint' ? `${value.toString()}n` : value;

const refuses = (cases: readonly (readonly [JsonValue, string, string])[]): void => {
  test.each(cases.map((item) => [name(item[0]), ...item] as const))(
    '%s',
    async (_name, query, type, reason) => {
      const error = await documents.find(query).then(
        (ids) => new Error(`found ${JSON.stringify(ids)}`),
        (failure: unknown) => failure as ElasticsearchError,
      );
      expect(error).toMatchObject({ status: 400, type });
      expect(error.message).toContain(reason);
    },
  );
};

const term = (field: string, value: JsonValue): JsonValue => ({ term: { [field]: value } });
const range = (field: string, bounds: JsonValue): JsonValue => ({ range: { [field]: bounds } });
const exists = (field: string): JsonValue => ({ exists: { field } });
const all = { match_all: {} };
const none = { match_none: {} };

describe('match_all, match_none, constant_score', () => {
  finds([
    [all, [1, 2, 3, 4, 5]],
    [none, []],
    [{ match_all: { boost: 2 } }, [1, 2, 3, 4, 5]],
    [{ constant_score: { filter: term('kw', 'GET'), boost: 1.2 } }, [1]],
  ]);
  refuses([
    [{}, 'illegal_argument_exception', 'query malformed, empty clause found'],
    [[], 'parsing_exception', 'query malformed, must start with start_object'],
    [{ foo: {} }, 'parsing_exception', 'unknown query [foo]'],
    [{ more_like_this: {} }, 'illegal_argument_exception', 'unsupported: query [more_like_this]'],
    [{ match_all: { a: 1 } }, 'parsing_exception', '[match_all] unknown field [a]'],
    [
      { match_all: [] },
      'parsing_exception',
      '[match_all] query malformed, no start_object after query name',
    ],
    [
      { term: { kw: 'a' }, range: {} },
      'parsing_exception',
      '[term] malformed query, expected [END_OBJECT] but found [FIELD_NAME]',
    ],
  ]);
});

describe('term on keywords', () => {
  finds([
    [term('kw', 'GET'), [1]],
    [term('kw', ''), [2]],
    [term('kw.keyword', 'GET'), [1]],
    [term('kw', { value: 'get', case_insensitive: true }), [1, 4]],
    [term('kw', { value: 'GET', boost: 2 }), [1]],
    [term('s.keyword', 'Hello World'), [1]],
    [term('s.keyword', 'hello world'), []],
    [term('s.keyword', '100% ÄRGER_x\\y\nz'), [4]],
    [term('e', 'red'), [1]],
    [term('e', 'green'), []],
    [term('u', '6fa459ea-ee8a-3ca4-894e-db77e160355e'), [1]],
    [term('u', '6FA459EA-EE8A-3CA4-894E-DB77E160355E'), []],
    [term('u', 'no uuid'), []],
    [term('fs', 'ab'), [1]],
    [term('fs', ''), [2]],
    [term('tags', 'Y'), [1]],
    [term('tags.keyword', 'y'), []],
    [term('tags.keyword', ''), [2]],
    [term('low', ''), [2]],
    [{ terms: { low: [''] } }, [2]],
    [term('labels.team.keyword', 'red'), [1]],
    [term('labels.a.b.keyword', 'c'), [1]],
    [term('labels.team.keyword', ''), [2]],
    [term('labels.never.keyword', ''), []],
    [term('unmapped', 'x'), []],
    [term('labels', 'x'), []],
    [term('_index', 'docs'), [1, 2, 3, 4, 5]],
    [term('_index', 'other'), []],
  ]);
  refuses([
    [term('kw', null), 'illegal_argument_exception', 'field name is null or empty'],
    [term('kw', ['a']), 'parsing_exception', '[term] query does not support array of values'],
    [
      term('kw', { value: 'a', foo: 1 }),
      'parsing_exception',
      '[term] query does not support [foo]',
    ],
    [{ term: {} }, 'illegal_argument_exception', 'field name is null or empty'],
    [
      { term: { a: 1, b: 2 } },
      'parsing_exception',
      "[term] query doesn't support multiple fields, found [a] and [b]",
    ],
    [term('odd', 'v'), 'illegal_argument_exception', 'Map(Date, String)'],
    [exists('odd'), 'illegal_argument_exception', 'Map(Date, String)'],
    [
      term('n', { value: 1, case_insensitive: true }),
      'query_shard_exception',
      'does not support case insensitive term queries',
    ],
  ]);
});

describe('term on text: a substring whatever the case', () => {
  finds([
    [term('s', 'hello'), [1]],
    [term('s', 'LO WO'), [1]],
    [term('s', 'ärger'), [4]],
    [term('s', '0%'), [4]],
    [term('s', '%'), [4]],
    [term('s', '_'), [4]],
    [term('s', '\\'), [4]],
    [term('s', 'y\nz'), [4]],
    [term('s', '本'), [5]],
    [term('s', '🎉'), [5]],
    [term('s', "t's"), [5]],
    [term('s', ''), [1, 2, 4, 5]],
    [term('labels.team', 'RE'), [1]],
    [term('tags', 'A'), [4]],
  ]);
});

describe('term on numbers', () => {
  finds([
    [term('n', 9007199254740993n), [1]],
    [term('n', 9007199254740992n), [4]],
    [term('n', '9007199254740993'), [1]],
    [term('n', '-9223372036854775808'), [5]],
    [term('n', '0e5'), [2]],
    [term('n', 0), [2]],
    [term('n', 1.5), []],
    [term('u8', 200), [1]],
    [term('u8', '2e2'), [1]],
    [term('u8', '200.0'), [1]],
    [term('u8', 456), []],
    [term('u8', -1), []],
    [term('i8', 300), []],
    [term('u64', 18446744073709551615n), [1]],
    [term('u64', '18446744073709551616'), []],
    [term('u64', -1), []],
    [term('i32', -5), [1]],
    [term('f', 1.1), [1]],
    [term('d', '1.5'), [1]],
    [term('dec', 1.1), [1]],
    [term('arr', 5), [1]],
    [term('arr', 0), []],
    [term('n_t.a', 1), [1]],
  ]);
  refuses([
    [term('n', 'abc'), 'query_shard_exception', 'failed to create query: For input string: "abc"'],
    [
      term('n', 9223372036854775808n),
      'query_shard_exception',
      'Value [9223372036854775808] is out of range for a long',
    ],
    [term('u8', 2147483648), 'query_shard_exception', 'is out of range for an integer'],
    [term('d', '1e400'), 'query_shard_exception', 'supports only finite values'],
    [term('f', 1e39), 'query_shard_exception', 'supports only finite values'],
  ]);
});

describe('term on booleans and addresses', () => {
  finds([
    [term('b', true), [1]],
    [term('b', 'false'), [2]],
    [term('bs', false), [1]],
    [term('ip4', '10.0.0.1'), [1]],
    [term('ip4', '::ffff:10.0.0.1'), [1]],
    [term('ip4', '10.0.0.0/8'), [1]],
    [term('ip4', '::1'), []],
    [term('ip6', '2001:0DB8:0:0::1'), [1]],
    [term('ip6', '10.0.0.1'), [4]],
    [term('ip6', '2001:db8::/32'), [1]],
    [term('ip6', '10.0.0.0/8'), [4]],
  ]);
  refuses([
    [
      term('b', 'yes'),
      'query_shard_exception',
      "Can't parse boolean value [yes], expected [true] or [false]",
    ],
    [term('ip4', '10.0.0'), 'query_shard_exception', "'10.0.0' is not an IP string literal."],
    [term('ip4', '010.0.0.1'), 'query_shard_exception', 'is not an IP string literal.'],
  ]);
});

describe('terms', () => {
  const long = (values: readonly string[]): JsonValue => [
    ...values,
    ...Array.from({ length: 500 }, (_, i) => `'filler\\ ${String(i)}`),
  ];
  finds([
    [{ terms: { kw: ['GET', 'a b', 'zz'] } }, [1, 5]],
    [{ terms: { kw: [] } }, []],
    [{ terms: { kw: long(['GET', '']) } }, [1, 2]],
    [{ terms: { 's.keyword': long(['100% ÄRGER_x\\y\nz']) } }, [4]],
    [{ terms: { n: [9007199254740993n, '0', 1.5] } }, [1, 2]],
    [{ terms: { e: ['red', 'green'] } }, [1]],
    [{ terms: { u: ['6fa459ea-ee8a-3ca4-894e-db77e160355e'] } }, [1]],
    [{ terms: { tags: ['x', 'b'] } }, [1, 4]],
    [{ terms: { arr: [5, 7] } }, [1]],
    [{ terms: { ip6: ['::1', '10.0.0.0/8'] } }, [4, 5]],
    [{ terms: { b: [true, false] } }, [1, 2]],
    [{ terms: { _index: ['docs', 'x'] } }, [1, 2, 3, 4, 5]],
    [{ bool: { must_not: { terms: { kw: ['GET', 'get'] } } } }, [2, 3, 5]],
  ]);
  refuses([
    [{ terms: { kw: ['a', null] } }, 'parsing_exception', 'terms query'],
    [{ terms: { kw: 'a' } }, 'parsing_exception', '[terms] query does not support [kw]'],
    [{ terms: { n: ['x'] } }, 'query_shard_exception', 'For input string: "x"'],
  ]);
});

describe('exists', () => {
  finds([
    [exists('kw'), [1, 2, 4, 5]],
    [exists('s'), [1, 2, 4, 5]],
    [exists('s.keyword'), [1, 2, 4, 5]],
    [exists('b'), [1, 2]],
    [exists('arr'), [1]],
    [exists('tags'), [1, 2, 4]],
    [exists('labels'), [1, 2]],
    [exists('labels.team'), [1, 2]],
    [exists('labels.a.b'), [1]],
    [exists('labels.never'), []],
    [exists('n_t'), [1]],
    [exists('id'), [1, 2, 3, 4, 5]],
    [exists('unmapped'), []],
    [exists('i*'), [1, 2, 3, 4, 5]],
    [exists('labels.*'), [1, 2]],
    [exists('_id'), [1, 2, 3, 4, 5]],
    [exists('_index'), [1, 2, 3, 4, 5]],
    [{ bool: { must_not: exists('kw') } }, [3]],
  ]);
  refuses([
    [exists('*'), 'query_shard_exception', '_source'],
    [{ exists: {} }, 'parsing_exception', '[exists] must be provided with a [field]'],
    [
      { exists: { field: 'a', foo: 1 } },
      'parsing_exception',
      '[exists] query does not support [foo]',
    ],
  ]);
});

describe('range on numbers', () => {
  finds([
    [range('u8', { gte: 1, lte: 200 }), [1, 5]],
    [range('u8', { gt: '1', lt: '255' }), [1]],
    [range('u8', { gte: 0.5, lt: 200.5 }), [1, 5]],
    [range('u8', { gte: -1 }), [1, 2, 4, 5]],
    [range('u8', { gt: 255 }), []],
    [range('u8', { lte: 300 }), [1, 2, 4, 5]],
    [range('u8', { lt: 0 }), []],
    [range('u8', { gte: 456 }), []],
    [range('i32', { gte: -1.5, lte: 1.5 }), [2]],
    [range('i32', { from: -5, to: 0, include_lower: false }), [2]],
    [range('i32', { from: -5, to: 0, include_upper: false }), [1]],
    [range('i32', { from: null, to: null }), [1, 2, 4, 5]],
    [range('i32', { gte: null, lt: 0 }), [1, 5]],
    [range('n', { gt: 9007199254740992n }), [1]],
    [range('n', { gt: '9223372036854775807' }), []],
    [range('u64', { gt: '9223372036854775808' }), [1]],
    [range('u64', { gte: -5, lte: '1e30' }), [1, 2]],
    [range('f', { gte: 1.1 }), [1]],
    [range('f', { gt: 1.1 }), []],
    [range('d', { gt: 1.4, lt: 1.6 }), [1]],
    [range('dec', { gte: 1.1, lte: 1.1 }), [1]],
    [range('arr', { gt: 1, lt: 5 }), []],
    [range('arr', { gt: 1, lte: 5 }), [1]],
    [range('arr', {}), [1]],
    [range('unmapped', { gte: 1 }), []],
    [
      range('u8', {
        gte: 1,
        boost: 2,
        relation: 'INTERSECTS',
        format: 'yyyy',
        time_zone: '+01:00',
      }),
      [1, 4, 5],
    ],
    [{ bool: { must_not: range('u8', { gte: 1 }) } }, [2, 3]],
  ]);
  refuses([
    [range('n', { gte: 'abc' }), 'query_shard_exception', 'For input string: "abc"'],
    [range('n', { gte: 9223372036854775808n }), 'query_shard_exception', 'out of range for a long'],
    [range('u8', { gte: 2147483648 }), 'query_shard_exception', 'out of range for an integer'],
    [range('u8', { gte: 1, foo: 2 }), 'parsing_exception', '[range] query does not support [foo]'],
    [
      range('u8', { gte: 1, lenient: true }),
      'parsing_exception',
      '[range] query does not support [lenient]',
    ],
    [range('u8', 5), 'parsing_exception', '[range] query does not support [u8]'],
    [
      range('u8', { gte: 1, time_zone: 'europe/warsaw' }),
      'illegal_argument_exception',
      'europe/warsaw',
    ],
    [
      { range: { a: {}, b: {} } },
      'parsing_exception',
      "[range] query doesn't support multiple fields, found [a] and [b]",
    ],
  ]);
});

describe('range on strings, booleans and addresses', () => {
  finds([
    [range('kw', { gte: 'G', lt: 'b' }), [1, 5]],
    [range('kw', { gt: '' }), [1, 4, 5]],
    [range('kw', { gte: '' }), [1, 2, 4, 5]],
    [range('e', { gte: 'c' }), [1]],
    [range('b', { gt: false }), [1]],
    [range('b', { lt: 'true' }), [2]],
    [range('b', { gte: false, lte: true }), [1, 2]],
    [range('b', { gt: true }), []],
    [range('ip4', { gte: '0.0.0.1', lte: '10.0.0.1' }), [1]],
    [range('ip4', { gt: '10.0.0.1' }), []],
    [range('ip4', { gt: '::1' }), [1, 2]],
    [range('ip6', { lt: '0.0.0.0' }), [2, 5]],
    [range('ip6', { gte: '10.0.0.0', lt: '11.0.0.0' }), [4]],
  ]);
  refuses([
    [range('ip4', { gte: '10.0.0.0/8' }), 'query_shard_exception', 'is not an IP string literal.'],
    [range('b', { gte: 'x' }), 'query_shard_exception', "Can't parse boolean value [x]"],
  ]);
});

describe('bool', () => {
  const is = (field: string): JsonValue => exists(field);
  // kw: 1 2 4 5, b: 1 2, arr: 1
  const three = [is('kw'), is('b'), is('arr')];
  /** Each holds for 1, 2, 4 and 5 of every type of value. */
  const many = (count: number): readonly JsonValue[] =>
    Array.from({ length: count }, (_, i) =>
      i % 3 === 0
        ? { bool: { must_not: [term('kw', `no 'such' \\ ${String(i)}`), term('f', 1.25 + i)] } }
        : i % 3 === 1
          ? { bool: { must_not: [term('ip6', '::2'), term('n', -5 - i), term('dec', 1e21)] } }
          : exists('s'),
    );
  const should = (minimum: JsonValue, clauses: JsonValue = three): JsonValue => ({
    bool: { should: clauses, minimum_should_match: minimum },
  });
  finds([
    [{ bool: {} }, [1, 2, 3, 4, 5]],
    [{ bool: { must: [], filter: null, should: [], must_not: [] } }, [1, 2, 3, 4, 5]],
    [{ bool: { must: term('kw', 'GET') } }, [1]],
    [{ bool: { filter: [is('kw'), is('b')] } }, [1, 2]],
    [{ bool: { must: is('kw'), must_not: [is('b')] } }, [4, 5]],
    [{ bool: { must_not: [term('kw', 'GET')] } }, [2, 3, 4, 5]],
    [{ bool: { must_not: term('n', 0) } }, [1, 3, 4, 5]],
    [{ bool: { must_not: { bool: { must_not: term('kw', 'GET') } } } }, [1]],
    [{ bool: { must_not: range('u8', {}) } }, [3]],
    [{ bool: { should: [term('kw', 'GET'), term('kw', 'get')] } }, [1, 4]],
    [{ bool: { should: [term('kw', 'GET')], must: is('b') } }, [1, 2]],
    [{ bool: { should: [term('kw', 'GET')], must_not: is('arr') } }, []],
    [{ bool: { should: [], must: is('b'), minimum_should_match: 1 } }, []],
    [{ bool: { should: [], must: is('b') } }, [1, 2]],
    [should(1), [1, 2, 4, 5]],
    [should(2), [1, 2]],
    [should('3'), [1]],
    [should(4), []],
    [should(-1), [1, 2]],
    [should(-3), [1, 2, 4, 5]],
    [should('75%'), [1, 2]],
    [should('-25%'), [1]],
    [should('-50%'), [1, 2]],
    [should('2<75%'), [1, 2]],
    [should('3<1'), [1]],
    [should('1 < -25% 9<-3'), [1]],
    [should(2, [is('b'), is('b'), is('arr')]), [1, 2]],
    [{ bool: { must: [all], boost: 1, adjust_pure_negative: true } }, [1, 2, 3, 4, 5]],
    [{ bool: { should: Array.from({ length: 1024 }, () => term('kw', 'GET')) } }, [1]],
    // too many values for parameters: they become literals
    [
      {
        bool: {
          filter: many(300),
          should: [term('n', '-9223372036854775808'), term('kw', 'GET'), term('u64', 0)],
        },
      },
      [1, 2, 4, 5],
    ],
    [
      {
        bool: {
          should: [...many(900), term('n', '-9223372036854775808')],
          minimum_should_match: 901,
        },
      },
      [5],
    ],
  ]);
  refuses([
    [{ bool: { must: {} } }, 'x_content_parse_exception', '[bool] failed to parse field [must]'],
    [
      { bool: { must: [null] } },
      'x_content_parse_exception',
      '[bool] failed to parse field [must]',
    ],
    [
      { bool: { must: [{ foo: {} }] } },
      'x_content_parse_exception',
      '[bool] failed to parse field [must]',
    ],
    [{ bool: { _name: 'x' } }, 'illegal_argument_exception', 'unsupported: [_name]'],
    [{ term: { kw: { value: 'a', _name: 'x' } } }, 'illegal_argument_exception', 'unsupported'],
    [range('n', { gte: 1, _name: 'x' }), 'illegal_argument_exception', 'unsupported'],
    [{ bool: { foo: [] } }, 'x_content_parse_exception', '[bool] unknown field [foo]'],
    [should(2.5), 'query_shard_exception', 'For input string: "2.5"'],
    [should(''), 'query_shard_exception', 'For input string: ""'],
    [
      { bool: { must: is('b'), should: [term('n', 'x')] } },
      'query_shard_exception',
      'For input string: "x"',
    ],
    [
      { bool: { should: Array.from({ length: 1025 }, () => all) } },
      'query_shard_exception',
      'maxClauseCount is set to 1024',
    ],
  ]);
});
