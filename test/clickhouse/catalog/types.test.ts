import { readFileSync } from 'node:fs';
import { resolve } from 'node:path';
import type { JsonObject, JsonValue } from '../../../plugins/kibana-clickhouse/common/json/json';
import { parseJson } from '../../../plugins/kibana-clickhouse/common/json/parse-json';
import { fieldCaps } from '../../../plugins/kibana-clickhouse/search/field-caps';
import { parseSearchRequest } from '../../../plugins/kibana-clickhouse/search/request/parse-search-request';
import { responseText } from '../../../plugins/kibana-clickhouse/search/response/write-response';
import { runSearch } from '../../../plugins/kibana-clickhouse/search/run-search';
import { type IndexedTables, execution, startIndexedTables } from '../search/indexed-tables';

/*
 * What the product makes of types that Elasticsearch has no equal of; the others are compared with Elasticsearch itself by the
 * scenarios on the dataset `types`.
 */

let tables: IndexedTables;

beforeAll(async () => {
  tables = await startIndexedTables(`
    SET allow_suspicious_variant_types = 1;
    CREATE TABLE typed (
      n UInt8,
      big UInt64,
      start_time UInt32,
      log_time Int64,
      j JSON(max_dynamic_paths = 2, code UInt16, labels Map(String, String)),
      any Dynamic,
      one Dynamic,
      v Variant(Array(Int32), Float64, String),
      days Variant(Date, DateTime64(3, 'UTC')),
      ips Variant(IPv4, IPv6),
      mixed_list Array(Variant(UInt8, String)),
      object Variant(String, Tuple(a UInt8)),
      by_key Map(String, Dynamic),
      list_of_json Array(JSON),
      inner Tuple(j JSON),
      twice UInt16 MATERIALIZED n * 2,
      shout String ALIAS concat('n', toString(n)),
      for_insert UInt8 EPHEMERAL,
      state AggregateFunction(sum, UInt64)
    ) ENGINE = MergeTree ORDER BY n;`);
  await tables.insert('typed', [
    {
      n: 1,
      big: '18446744073709551615',
      start_time: 1_704_067_200,
      log_time: '1704067200123456789',
      j: {
        code: 200,
        labels: { team: 'a' },
        s: 'Hello World',
        num: 1,
        dyn: 5,
        list: [1, 'a', true],
        nested: { deep: { x: 1.5 } },
        items: [{ k: 1 }],
        when: '2024-01-01T10:00:00.5Z',
        gone: null,
      },
      any: 7,
      one: 1,
      v: 1.5,
      days: '2024-01-02',
      ips: '10.0.0.1',
      mixed_list: [1, 'x'],
      object: 'plain',
      by_key: { k: 1 },
      list_of_json: [{ x: 1 }],
      inner: { j: { x: 1 } },
    },
    {
      n: 2,
      big: 1,
      start_time: 1_704_153_600,
      log_time: '1704153600000000000',
      j: { code: 404, num: 2.5, dyn: 'text', list: ['b'], when: '2024-02-01T00:00:00Z' },
      any: 'seven',
      one: 20,
      v: [1, 2],
      days: '2024-01-02 12:00:00.000',
      ips: '2001:db8::1',
    },
    { n: 3, j: {}, any: [1, 2], v: 'word', mixed_list: ['y'] },
  ]);
}, 60_000);
afterAll(() => tables.close());

async function search(body: JsonObject): Promise<JsonObject> {
  const request = parseSearchRequest({ body, parameters: new Map() });
  const table = await tables.table('typed');
  const now = Date.UTC(2024, 5, 1);
  const answer = await runSearch(request, { table, executor: tables.executor, execution, now });
  return parseJson(await responseText(answer)) as JsonObject;
}

const rows = async (query: JsonObject): Promise<readonly JsonValue[]> => {
  const { hits } = await search({ query, sort: [{ n: 'asc' }], _source: ['n'] });
  return (hits as unknown as { hits: { _source: { n: JsonValue } }[] }).hits.map(
    ({ _source }) => _source.n,
  );
};

const aggregated = async (aggs: JsonObject): Promise<JsonObject> =>
  (await search({ size: 0, aggs }))['aggregations'] as JsonObject;

test('which fields there are', async () => {
  const table = await tables.table('typed');
  const { fields } = fieldCaps(table, 'typed', { fields: ['*'], filters: ['-metadata'] });
  const listed = Object.entries(fields as Readonly<Record<string, JsonObject>>).map(
    ([name, types]) => `${name} ${Object.keys(types).join()}`,
  );
  expect(listed.filter((line) => !line.includes('.keyword '))).toEqual([
    'n short',
    'big unsigned_long',
    'start_time date',
    'log_time date',
    'j object',
    'j.code integer',
    'j.dyn text',
    'j.dyn.Int64 long',
    'j.items object',
    'j.labels object',
    'j.list text',
    'j.nested object',
    'j.nested.deep object',
    'j.nested.deep.x double',
    'j.num double',
    'j.s text',
    'j.when date_nanos',
    'any text',
    'any.Int64 long',
    'one long',
    'v text',
    'v.Float64 double',
    'days date',
    'ips ip',
    'mixed_list text',
    'object keyword',
    'by_key object',
    'by_key.k text',
    'list_of_json object',
    'inner object',
    'inner.j object',
    'twice integer',
    'shout text',
  ]);
});

test('documents show what is stored, fields what can be searched', async () => {
  const { hits } = await search({ query: { term: { n: 1 } }, fields: ['*'] });
  const [hit] = (hits as unknown as { hits: { _source: JsonObject; fields: JsonObject }[] }).hits;
  expect(Object.keys(hit?._source ?? {})).toEqual([
    ...['n', 'big', 'start_time', 'log_time', 'j', 'any', 'one', 'v', 'days', 'ips', 'mixed_list'],
    ...['object', 'by_key', 'list_of_json', 'inner'],
  ]);
  expect(hit?._source).toMatchObject({
    big: 18_446_744_073_709_551_615n,
    j: { code: 200, items: [{ k: 1 }], nested: { deep: { x: 1.5 } } },
    v: 1.5,
    mixed_list: [1, 'x'],
  });
  expect(hit?.fields).toMatchObject({
    log_time: ['2024-01-01T00:00:00.123Z'],
    start_time: ['2024-01-01T00:00:00.000Z'],
    'j.num': [1],
    'j.dyn': ['5'],
    'j.list': ['1', 'a', 'true'],
    'j.when': ['2024-01-01T10:00:00.500Z'],
    days: ['2024-01-02T00:00:00.000Z'],
    ips: ['10.0.0.1'],
    mixed_list: ['1', 'x'],
    twice: [2],
    shout: ['n1'],
  });
  expect(hit?.fields).not.toHaveProperty('j.items');
});

test.each<[JsonObject, readonly number[]]>([
  [{ term: { big: 18_446_744_073_709_551_615n } }, [1]],
  [{ range: { start_time: { gte: '2024-01-02' } } }, [2]],
  [{ range: { log_time: { gte: '2024-01-01T00:00:00.123Z', lt: '2024-01-02' } } }, [1]],
  [{ term: { 'j.code': 404 } }, [2]],
  [{ term: { 'j.labels.team.keyword': 'a' } }, [1]],
  [{ exists: { field: 'j.labels.none' } }, []],
  [{ match: { 'j.s': 'world' } }, [1]],
  [{ range: { 'j.num': { gt: 1 } } }, [2]],
  [{ term: { 'j.dyn.keyword': '5' } }, [1]],
  [{ range: { 'j.dyn.Int64': { gte: 5 } } }, [1]],
  [{ term: { 'j.list.keyword': 'b' } }, [2]],
  [{ term: { 'j.list': '1' } }, [1]],
  [{ range: { 'j.nested.deep.x': { gte: 1.5 } } }, [1]],
  [{ range: { 'j.when': { gte: '2024-01-15' } } }, [2]],
  [{ exists: { field: 'j' } }, [1, 2, 3]],
  [{ exists: { field: 'j.gone' } }, []],
  [{ term: { 'j.gone': 'x' } }, []],
  [{ bool: { must_not: [{ term: { 'j.num': 1 } }] } }, [2, 3]],
  [{ term: { 'any.keyword': '2' } }, [3]],
  [{ term: { any: 'SEVEN' } }, [2]],
  [{ range: { one: { gt: 3 } } }, [2]],
  [{ term: { 'v.keyword': '2' } }, [2]],
  [{ range: { 'v.Float64': { gte: 1 } } }, [1]],
  [{ range: { days: { gt: '2024-01-02T00:00:00Z' } } }, [2]],
  [{ term: { ips: '10.0.0.0/8' } }, [1]],
  [{ term: { ips: '2001:db8::/32' } }, [2]],
  [{ term: { 'mixed_list.keyword': 'x' } }, [1]],
  [{ term: { 'by_key.k': '1' } }, [1]],
  [{ term: { twice: 4 } }, [2]],
  [{ term: { 'shout.keyword': 'n3' } }, [3]],
])('%j finds %j', async (query, found) => {
  expect(await rows(query)).toEqual(found);
});

test('aggregations', async () => {
  expect(
    await aggregated({
      dyn: { terms: { field: 'j.dyn.keyword' } },
      num: { sum: { field: 'j.num' } },
      one: { avg: { field: 'one' } },
      list: { cardinality: { field: 'j.list.keyword' } },
      when: { date_histogram: { field: 'j.when', calendar_interval: 'month' } },
      start: { date_histogram: { field: 'start_time', fixed_interval: '1d', min_doc_count: 1 } },
      v: { max: { field: 'v.Float64' } },
    }),
  ).toMatchObject({
    dyn: { buckets: [{ key: '5' }, { key: 'text' }] },
    num: { value: 3.5 },
    one: { value: 10.5 },
    list: { value: 4 },
    when: { buckets: [{ doc_count: 1 }, { doc_count: 1 }] },
    start: { buckets: [{ doc_count: 1 }, { doc_count: 1 }, { doc_count: 1 }] },
    v: { value: 1.5 },
  });
});

test.each<[JsonObject, string]>([
  [{ query: { term: { object: 'plain' } } }, 'Tuple(a UInt8)'],
  [{ query: { term: { 'j.items.k': 1 } } }, 'Array(JSON'],
  [{ query: { exists: { field: 'j.items' } } }, 'Array(JSON'],
  [{ query: { term: { 'list_of_json.x': 1 } } }, 'Array(JSON)'],
  [{ query: { term: { 'inner.j.x': 1 } } }, '[JSON]'],
  [{ query: { term: { 'any.x': 1 } } }, '[Dynamic]'],
  [{ query: { range: { 'j.unheard': { gte: 1 } } } }, 'type of its values is not known'],
  [{ sort: ['j.unheard'] }, 'type of its values is not known'],
  [{ aggs: { a: { max: { field: 'j.unheard' } } } }, 'j.unheard'],
  [{ aggs: { a: { terms: { field: 'by_key.k' } } } }, 'by_key.k'],
])('%j is refused', async (body, reason) => {
  await expect(search(body)).rejects.toMatchObject({
    status: 400,
    message: expect.stringContaining(reason) as string,
  });
});

test('the table that the page about types begins with', async () => {
  const page = readFileSync(resolve(__dirname, '../../../docs/mapping-types.md'), 'utf8');
  await tables.run(/```sql\n(.+?)```/s.exec(page)?.[1] ?? '');
  const { fields, timeField } = await tables.table('access_log');
  expect(timeField).toBe('@timestamp');
  expect([...fields.values()].filter(({ refusal }) => refusal !== undefined)).toEqual([]);
});
