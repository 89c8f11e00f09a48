import type { JsonValue } from '../../../plugins/kibana-clickhouse/common/json/json';
import type { QueryContext } from '../../../plugins/kibana-clickhouse/search/queries/definition';
import { type Documents, openDocuments } from './documents';

/*
 * CKibana's own spellings, which no Elasticsearch knows: what they mean stands here. Where they are not switched on, they
 * are what Elasticsearch makes of them.
 */

const statements = [
  `CREATE TABLE docs (
    id UInt32, s String, lc LowCardinality(String), n Nullable(String), e Enum8('Up' = 1, 'Down' = 2), tags Array(String),
    labels Map(String, String), code UInt16, ip IPv4, items Nested(sku String)
  ) ENGINE = MergeTree ORDER BY id`,
  `INSERT INTO docs (id, s, lc, n, e, tags, labels, code, ip, items.sku) VALUES
    (1, 'www.Example.com', 'GET', 'Ärger', 'Up', ['Red', 'blue'], {'team': 'Core'}, 200, '10.0.0.1', ['Cup']),
    (2, 'api.example.org', 'get', NULL, 'Down', [], {}, 404, '10.0.0.2', ['Pen', 'cup']),
    (3, 'a www.other', 'POST', 'ärger und', 'Up', ['RED'], {'team': 'core'}, 500, '10.0.0.3', []),
    (4, 'a,b', '100%', '50 % off', 'Down', ['a*b'], {'team': 'x'}, 200, '10.0.0.4', ['x'])`,
];

const term = (field: string, value: JsonValue): JsonValue => ({ term: { [field]: value } });
const phrase = (field: string, value: JsonValue): JsonValue => ({
  match_phrase: { [field]: value },
});
const lucene = (query: string, more = {}): JsonValue => ({ query_string: { query, ...more } });

/** What is looked for, and the documents that have it where the spellings are on, and where they are not. */
type Case = readonly [query: JsonValue, on: readonly number[], off: readonly number[]];

const caseIgnored: readonly Case[] = [
  [phrase('s.caseIgnore', 'WWW.'), [1, 3], []],
  [phrase('lc.caseIgnore', 'ge'), [1, 2], []],
  [phrase('n.caseIgnore', 'ÄRG'), [1, 3], []],
  [phrase('e.caseIgnore', 'up'), [1, 3], []],
  [phrase('tags.caseIgnore', 'ED'), [1, 3], []],
  [phrase('labels.team.caseIgnore', 'COR'), [1, 3], []],
  [term('s.caseIgnore', 'EXAMPLE'), [1, 2], []],
  [lucene('s.caseIgnore:EXAMPLE'), [1, 2], []],
  [{ exists: { field: 'n.caseIgnore' } }, [1, 3, 4], []],
  [{ nested: { path: 'items', query: term('items.sku.caseIgnore', 'U') } }, [1, 2], []],
  [phrase('unknown.caseIgnore', 'a'), [], []],
];

const caseIgnoredExactly: readonly Case[] = [
  [phrase('s.caseIgnore.keyword', 'WWW.EXAMPLE.COM'), [1], []],
  [phrase('s.caseIgnore.keyword', 'www'), [], []],
  [term('lc.caseIgnore.keyword', 'Get'), [1, 2], []],
  [{ terms: { 'lc.caseIgnore.keyword': ['Get', 'post'] } }, [1, 2, 3], []],
  [term('n.caseIgnore.keyword', 'äRGER'), [1], []],
  [term('e.caseIgnore.keyword', 'DOWN'), [2, 4], []],
  [term('tags.caseIgnore.keyword', 'rEd'), [1, 3], []],
  [term('labels.team.caseIgnore.keyword', 'CORE'), [1, 3], []],
  [{ prefix: { 'lc.caseIgnore.keyword': 'GE' } }, [1, 2], []],
  [{ wildcard: { 'lc.caseIgnore.keyword': 'G?T' } }, [1, 2], []],
  [{ fuzzy: { 'lc.caseIgnore.keyword': 'GER' } }, [1, 2], []],
  [{ range: { 'lc.caseIgnore.keyword': { gte: 'G', lt: 'H' } } }, [1, 2], []],
  [{ term: { 'lc.caseIgnore.keyword': { value: 'GeT', case_insensitive: true } } }, [1, 2], []],
  [lucene('lc.caseIgnore.keyword:gEt'), [1, 2], []],
  [{ nested: { path: 'items', query: term('items.sku.caseIgnore.keyword', 'CUP') } }, [1, 2], []],
];

const patterns: readonly Case[] = [
  [lucene('s:www%'), [1], []],
  [lucene('s:"www%"'), [1], []],
  [lucene('s:"%.example.%"'), [1, 2], []],
  [lucene('s:"%WWW.%"'), [1, 3], []],
  [lucene('lc:"G%"'), [1], []],
  [lucene('s.keyword:"www%"'), [], []],
  [lucene('lc.keyword:"100%"'), [4], [4]],
  [lucene('n:"50 %"'), [4], [4]],
  [lucene('n:"50 %f"'), [4], []],
  [lucene('tags:"a*%"'), [4], []],
  [lucene('code:200 AND s:"%com"'), [1], []],
  [lucene('s:(www% b)', { default_operator: 'AND' }), [], []],
  [lucene('s:(www% com)', { default_operator: 'AND' }), [1], []],
  [lucene('"www%"', { fields: ['s', 'lc'] }), [1], []],
  [phrase('s', 'www%'), [1], []],
  [phrase('s.keyword', 'www%'), [], []],
];

const lists: readonly Case[] = [
  [lucene('lc:(GET,POST)'), [1, 3], []],
  [lucene('lc:(GET, POST)'), [1, 3], []],
  [lucene('lc:(GET,POST)', { default_operator: 'AND' }), [1, 3], []],
  [lucene('code:(200,404)'), [1, 2, 4], []],
  [lucene('ip:(10.0.0.1,10.0.0.3)', { lenient: true }), [1, 3], []],
  [lucene('s:(www%,"api.example.org")'), [1, 2], [2]],
  [lucene('s:("www.example.com","api.example.org")'), [1, 2], [1, 2, 4]],
  [lucene('s:(com,org) AND code:404'), [2], []],
  [lucene('NOT s:(com,org)'), [3, 4], [1, 2, 3, 4]],
  [lucene('s:"a,b"'), [4], [4]],
  [lucene('s:(a,b AND www)'), [], []],
  [lucene('s:a,b'), [4], [4]],
];

const cases = [...caseIgnored, ...caseIgnoredExactly, ...patterns, ...lists];

describe.each(['contains', 'tokens'] as const)('spellings of CKibana, textSearch %s', (how) => {
  const textSearch: QueryContext['textSearch'] = how;
  let documents: Documents;
  beforeAll(async () => {
    documents = await openDocuments(statements, 'docs', { ckibanaSyntax: true });
  });
  afterAll(() => documents.close());

  const asked = how === 'contains' ? cases : [...caseIgnored, ...caseIgnoredExactly];
  test.each(asked)('%j', async (query, on) => {
    expect(await documents.find(query, { textSearch })).toEqual(on);
  });

  test('a pattern is for whole values', async () => {
    expect(await documents.find(lucene('s:"a%other"'), { textSearch })).toEqual([3]);
  });

  test('what is no text is refused by name', async () => {
    await expect(documents.find(phrase('code.caseIgnore', '2'))).rejects.toThrow(
      'query on field [code.caseIgnore]: [caseIgnore] is for text, it is a integer',
    );
  });
});

describe('switched off', () => {
  let documents: Documents;
  beforeAll(async () => {
    documents = await openDocuments(statements);
  });
  afterAll(() => documents.close());

  test.each(cases)('%j', async (query, _on, off) => {
    expect(await documents.find(query)).toEqual(off);
  });
});
