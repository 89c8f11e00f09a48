import { fieldCaps } from '../../../plugins/kibana-clickhouse/search/field-caps';
import type { JsonObject } from '../../../plugins/kibana-clickhouse/common/json/json';
import {
  type IndexedTables,
  accessLog,
  logLine,
  startIndexedTables,
} from '../search/indexed-tables';

let tables: IndexedTables;

beforeAll(async () => {
  tables = await startIndexedTables(
    `${accessLog}
    CREATE TABLE odd (ts DateTime64(9), n Nested(k String), t Tuple(a Int8, b Float32), "x.y" UInt64,
      v Variant(String, UInt8), m Variant(String, Map(String, UInt8)), agg AggregateFunction(sum, UInt8)) ENGINE = Memory;`,
  );
  await tables.insert('access_log', [logLine(1)]);
}, 60_000);
afterAll(() => tables.close());

const caps = async (
  table: string,
  request: Parameters<typeof fieldCaps>[2],
): Promise<Record<string, JsonObject>> => {
  const answer = fieldCaps(await tables.table(table), table, request);
  expect(answer['indices']).toEqual([table]);
  return answer['fields'] as Record<string, JsonObject>;
};

const entry = (type: string, searchable = true, aggregatable = true): JsonObject => ({
  [type]: { type, metadata_field: false, searchable, aggregatable },
});

const metadata = (
  name: string,
  searchable: boolean,
  aggregatable: boolean,
  type = name,
): JsonObject => ({ [name]: { [type]: { type, metadata_field: true, searchable, aggregatable } } });

test('a data view of the demo table', async () => {
  expect(await caps('access_log', { fields: ['*'] })).toEqual({
    ...metadata('_doc_count', false, false, 'integer'),
    ...metadata('_feature', false, false),
    ...metadata('_field_names', true, false),
    ...metadata('_id', true, false),
    ...metadata('_ignored', true, false),
    ...metadata('_index', true, true),
    ...metadata('_routing', true, false),
    ...metadata('_seq_no', true, true),
    ...metadata('_source', false, false),
    ...metadata('_version', false, true),
    '@timestamp': entry('date'),
    host: entry('keyword'),
    method: entry('text', true, false),
    'method.keyword': entry('keyword'),
    path: entry('text', true, false),
    'path.keyword': entry('keyword'),
    status: entry('integer'),
    bytes: entry('unsigned_long'),
    latency_ms: entry('double'),
    client_ip: entry('ip'),
    user_agent: entry('text', true, false),
    'user_agent.keyword': entry('keyword'),
    referer: entry('text', true, false),
    'referer.keyword': entry('keyword'),
    message: entry('text', true, false),
    'message.keyword': entry('keyword'),
    tags: entry('text', true, false),
    'tags.keyword': entry('keyword'),
    labels: entry('object', false, false),
    'labels.team': entry('text', true, false),
    'labels.team.keyword': entry('keyword'),
    price: entry('double'),
    cached: entry('boolean'),
  });
});

test('names and patterns; a child brings its parent along, unknown names are absent', async () => {
  expect(await caps('access_log', { fields: ['host', 'labels.te*d', 'zzz', '_id'] })).toEqual({
    _id: expect.anything(),
    host: entry('keyword'),
    labels: entry('object', false, false),
    'labels.team.keyword': entry('keyword'),
  });
});

test('columns of unusual types', async () => {
  expect(await caps('odd', { fields: ['*'], filters: ['-metadata'] })).toMatchObject({
    ts: entry('date_nanos'),
    n: entry('object', false, false),
    'n.k': entry('text', true, false),
    t: entry('object', false, false),
    't.a': entry('byte'),
    't.b': entry('float'),
    x: entry('object', false, false),
    'x.y': entry('unsigned_long'),
    v: entry('text', true, false),
    'v.keyword': entry('keyword'),
    'v.UInt8': entry('short'),
    m: { keyword: { searchable: false, aggregatable: false } },
  });
});

test.each<[Partial<Parameters<typeof fieldCaps>[2]>, readonly string[]]>([
  [{ types: ['date', 'ip'] }, ['@timestamp', 'client_ip']],
  [
    { types: [], filters: ['+metadata'] },
    [
      '_doc_count',
      '_feature',
      '_field_names',
      '_id',
      '_ignored',
      '_index',
      '_routing',
      '_seq_no',
      '_source',
      '_version',
    ],
  ],
  [
    {
      filters: ['-metadata', '-multifield', '-parent'],
      fields: ['labels*', 'host*', '_id', 'method*'],
    },
    ['host', 'method', 'labels.team'],
  ],
])('types and filters: %j', async (given, names) => {
  expect(Object.keys(await caps('access_log', { fields: ['*'], ...given }))).toEqual(names);
});

test('no fields at all', async () => {
  await expect(caps('access_log', { fields: [] })).rejects.toMatchObject({
    status: 400,
    message: "specified fields can't be null or empty",
  });
});
