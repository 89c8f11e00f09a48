import { ElasticsearchError } from '../../../plugins/kibana-clickhouse/common/errors/elasticsearch-error';
import type { JsonValue } from '../../../plugins/kibana-clickhouse/common/json/json';
import { parseJson } from '../../../plugins/kibana-clickhouse/common/json/parse-json';
import { failureOf } from './failure-of';

const repeated = (part: string, length: number): string =>
  part.repeat(Math.ceil(length / part.length)).slice(0, length);

/** What makes readers go back, pile up or split. */
const parts: readonly string[] = [
  '"',
  'a ',
  'a OR ',
  '(',
  ')',
  '"a" ',
  '\\',
  '/',
  'a~ ',
  '[',
  '["\\"',
  '^',
  'NOT ',
  '-',
  '+(',
  '*',
  '?a',
  'a:',
  'x',
  '. ',
  '(a|',
  '[a-',
  '(?:',
  '{1,1000}',
  'ä́',
  '\uD800',
  '日',
  ' ',
];

/** Clauses that take a text of any length. */
const clauses: Readonly<Record<string, (text: string) => JsonValue>> = {
  query_string: (query) => ({ query, fields: ['t', 'k', 'l', 'ts'] }),
  simple_query_string: (query) => ({ query, fields: ['t', 'k', 'l', 'ts'] }),
  match: (query) => ({ t: query }),
  match_phrase: (query) => ({ t: query }),
  match_phrase_prefix: (query) => ({ t: query }),
  match_bool_prefix: (query) => ({ t: query }),
  multi_match: (query) => ({ query, fields: ['t', 'k'], type: 'cross_fields' }),
  term: (text) => ({ t: text }),
  wildcard: (text) => ({ k: text }),
  regexp: (text) => ({ k: text }),
  prefix: (text) => ({ k: text }),
  fuzzy: (text) => ({ k: text }),
  range: (text) => ({ ts: { gte: text, format: text } }),
  ids: (text) => ({ values: [text] }),
  exists: (text) => ({ field: text }),
};

const isAnswered = (failure: unknown): boolean =>
  failure === undefined || (failure instanceof ElasticsearchError && failure.status === 400);

const isRead = (name: string, text: string, textSearch: 'contains' | 'tokens'): boolean => {
  const body = clauses[name];
  return body !== undefined && isAnswered(failureOf({ [name]: body(text) }, textSearch));
};

describe.each(Object.keys(clauses))('%s', (name) => {
  it.each(['contains', 'tokens'] as const)('reads hostile texts (%s)', (textSearch) => {
    const wrong = parts.filter((part) => !isRead(name, repeated(part, 20_000), textSearch));
    expect(wrong).toEqual([]);
  });

  it('refuses or reads a text of 10 MB', () => {
    expect(isRead(name, repeated('"', 10_000_000), 'contains')).toBe(true);
  });
});

it.each(['query_string', 'simple_query_string', 'match_phrase', 'wildcard'])(
  '%s: reads texts as long as it takes them',
  (name) => {
    for (const part of ['"', '日'])
      expect(isRead(name, repeated(part, 999_999), 'tokens')).toBe(true);
  },
  60_000,
);

describe('depth and length', () => {
  const nested = (open: string, close: string, depth: number): string =>
    `${open.repeat(depth)}{"match_all":{}}${close.repeat(depth)}`;

  it.each([
    ['bool in arrays', '{"bool":{"must":[', ']}}'],
    ['bool in objects', '{"bool":{"must_not":', '}}'],
    ['constant_score', '{"constant_score":{"filter":', '}}'],
    ['dis_max', '{"dis_max":{"queries":[', ']}}'],
    ['boosting', '{"boosting":{"negative_boost":1,"negative":{"match_all":{}},"positive":', '}}'],
    ['nested', '{"nested":{"path":"obj","query":', '}}'],
    ['function_score', '{"function_score":{"query":', '}}'],
    ['arrays', '{"terms":{"k":[', ']}}'],
  ])('%s: 10,000 deep', (_name, open, close) => {
    // the text of a request may be as deep as its parser allows, and deeper
    for (const depth of [101, 300, 10_000]) {
      const failure = ((): unknown => {
        try {
          return failureOf(parseJson(nested(open, close, depth)), 'contains');
        } catch (error) {
          return error;
        }
      })();
      expect(failure).toBeInstanceOf(ElasticsearchError);
      expect(failure).toMatchObject({ status: 400 });
    }
  });

  const numbers = (length: number): readonly number[] => Array.from({ length }, (_, i) => i);

  it.each<[string, JsonValue]>([
    ['terms', { terms: { k: numbers(1_000_000).map(String) } }],
    ['terms of texts', { terms: { t: numbers(60_000).map(String) } }],
    ['clauses', { bool: { should: numbers(100_000).map((n) => ({ term: { l: n } })) } }],
    ['alternatives', { dis_max: { queries: numbers(100_000).map((n) => ({ term: { l: n } })) } }],
    [
      'fields',
      { multi_match: { query: 'a', fields: numbers(100_000).map((n) => `t${String(n)}`) } },
    ],
    ['the same field', { multi_match: { query: 'a b', fields: numbers(100_000).map(() => 't') } }],
    ['ids', { ids: { values: numbers(100_000).map(String) } }],
    [
      'corners',
      {
        geo_shape: {
          p: {
            shape: {
              type: 'polygon',
              coordinates: [numbers(100_000).map((n) => [n % 90, n % 80])],
            },
          },
        },
      },
    ],
  ])('long lists of %s', (_name, query) => {
    expect(isAnswered(failureOf(query, 'contains'))).toBe(true);
  });

  it('refuses broken UTF-8', () => {
    const body = Buffer.concat([
      Buffer.from('{"term":{"k":"'),
      Buffer.from([0xc3, 0x28]),
      Buffer.from('"}}'),
    ]);
    expect(() => parseJson(body)).toThrow(ElasticsearchError);
  });
});
