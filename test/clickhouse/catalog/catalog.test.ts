import { type ClickHouseClient, createClient } from '@clickhouse/client';
import { type EmbeddedClickHouse, startClickHouse } from '../../../dev/clickhouse/embedded';
import {
  type Catalog,
  createCatalog,
} from '../../../plugins/kibana-clickhouse/clickhouse/catalog/load-catalog';
import type { Table } from '../../../plugins/kibana-clickhouse/clickhouse/catalog/table';
import {
  type ClickHouseExecutor,
  createExecutor,
} from '../../../plugins/kibana-clickhouse/clickhouse/execution/clickhouse-executor';

let server: EmbeddedClickHouse;
let admin: ClickHouseClient;
let executor: ClickHouseExecutor;
let catalog: Catalog;

const statements = [
  `CREATE TABLE wide (
    ts DateTime64(3), s String, lc LowCardinality(String), ns Nullable(String), ip IPv6, price Decimal(10, 2),
    tags Array(LowCardinality(String)), matrix Array(Array(UInt8)), labels Map(String, String), counts Map(UInt16, UInt64),
    deep Map(String, Tuple(n UInt8, t String)), dates Map(Date, String), t Tuple(a UInt8, \`b c\` String), nest Nested(k String, v UInt8),
    j JSON, odd Dynamic, loc Point, sums SimpleAggregateFunction(sum, UInt64), state AggregateFunction(uniq, UInt64),
    mat UInt8 MATERIALIZED 1, al String ALIAS upper(s), eph String EPHEMERAL,
    start_time UInt64, response_time UInt32, time_empty Nullable(Int64), small_time UInt8
  ) ENGINE = MergeTree ORDER BY (lc, toStartOfHour(ts))`,
  `INSERT INTO wide (ts, labels, counts, deep, start_time, response_time) VALUES
    ('2024-01-01 00:00:00', {'old': '1'}, {}, {}, 1704067200, 12),
    ('2024-01-02 00:00:00', {'team': 'red', 'a.b': 'c', 'x.keyword': 'y'}, {7: 1}, {'k': (1, 'x')}, 1704067201, 99)`,
  'CREATE TABLE empty (id UInt8) ENGINE = MergeTree ORDER BY id',
  'CREATE TABLE alone (`a b` UInt8) ENGINE = MergeTree ORDER BY (`a b`)',
  'CREATE TABLE `od.d\\`n` (`a\\\\b` String) ENGINE = MergeTree ORDER BY tuple()',
  'CREATE DATABASE other',
  'CREATE TABLE other.t (x DateTime, y Date) ENGINE = MergeTree ORDER BY (y, x)',
  'CREATE TABLE `other.both` (whole UInt8) ENGINE = Memory',
  'CREATE TABLE other.both (part UInt8) ENGINE = Memory',
];

beforeAll(async () => {
  server = await startClickHouse({ users: [{ name: 'reader', password: 'secret' }] });
  admin = createClient({ url: server.url });
  for (const query of statements) await admin.command({ query });
  executor = createExecutor({ url: server.url, user: 'reader', pass: 'secret' });
  catalog = createCatalog(executor, 'default');
});
afterAll(async () => {
  catalog.close();
  await executor.close();
  await admin.close();
  await server.close();
});

const load = async (index: string): Promise<Table> => {
  const table = await catalog.table(index);
  if (table === undefined) throw new Error(`no table ${index}`);
  return table;
};

test('lists the fields in column order, parents before their children', async () => {
  const { fields } = await load('wide');
  expect([...fields.values()].map(({ name, type }) => `${name} ${type}`)).toEqual([
    'ts date',
    's text',
    's.keyword keyword',
    'lc keyword',
    'ns text',
    'ns.keyword keyword',
    'ip ip',
    'price double',
    'tags keyword',
    'matrix short',
    'labels object',
    'labels.a object',
    'labels.a.b text',
    'labels.a.b.keyword keyword',
    'labels.old text',
    'labels.old.keyword keyword',
    'labels.team text',
    'labels.team.keyword keyword',
    'labels.x object',
    'labels.x.keyword text',
    'labels.x.keyword.keyword keyword',
    'counts object',
    'counts.7 unsigned_long',
    'deep object',
    'deep.k object',
    'deep.k.n short',
    'deep.k.t text',
    'deep.k.t.keyword keyword',
    'dates object',
    't object',
    't.a short',
    't.b c text',
    't.b c.keyword keyword',
    'nest object',
    'nest.k text',
    'nest.k.keyword keyword',
    'nest.v short',
    'j object',
    'odd text',
    'odd.keyword keyword',
    'loc geo_point',
    'sums unsigned_long',
    'mat short',
    'al text',
    'al.keyword keyword',
    'start_time date',
    'response_time long',
    'time_empty date',
    'small_time short',
  ]);
});

test.each([
  ['alone', '`a b`'],
  ['empty', 'id'],
  ['wide', 'lc, toStartOfHour(ts)'],
])('knows the sorting key of %s', async (name, key) => {
  expect((await catalog.table(name))?.sortingKey).toBe(key);
});

test('columns: what is part of _source, what is not, what is left out', async () => {
  const { columns } = await load('wide');
  const kinds = new Map(columns.map(({ name, kind }) => [name, kind]));
  expect([kinds.get('s'), kinds.get('odd'), kinds.get('mat'), kinds.get('al')]).toEqual([
    'stored',
    'stored',
    'materialized',
    'alias',
  ]);
  expect([kinds.has('eph'), kinds.has('state')]).toEqual([false, false]);
});

test('searchable and aggregatable follow the type', async () => {
  const table = await load('wide');
  const flags = (name: string) => {
    const field = table.field(name);
    return [field?.searchable, field?.aggregatable];
  };
  expect(flags('s')).toEqual([true, false]);
  expect(flags('s.keyword')).toEqual([true, true]);
  expect(flags('lc')).toEqual([true, true]);
  expect(flags('labels')).toEqual([false, false]);
  expect(flags('odd.keyword')).toEqual([true, false]);
  expect(table.field('j.anything')).toMatchObject({ type: 'text', unseen: true });
  expect(table.field('odd.anything')?.refusal).toContain('Dynamic');
  expect(table.field('dates.2024-01-01')?.refusal).toContain('Map(Date, String)');
});

test('finds what is not listed', async () => {
  const table = await load('wide');
  const found = (name: string) => {
    const field = table.field(name);
    return field && [field.name, field.type, field.nullable];
  };
  expect(found('labels.never')).toEqual(['labels.never', 'text', true]);
  expect(found('labels.never.keyword')).toEqual(['labels.never.keyword', 'keyword', true]);
  expect(found('counts.8')).toEqual(['counts.8', 'unsigned_long', true]);
  expect(found('counts.65536')).toBeUndefined();
  expect(found('counts.x')).toBeUndefined();
  expect(found('deep.other.t.keyword')).toEqual(['deep.other.t.keyword', 'keyword', true]);
  expect(found('lc.keyword')).toEqual(['lc.keyword', 'keyword', false]);
  expect(found('ip.keyword')).toEqual(['ip.keyword', 'ip', false]);
  expect(found('price.keyword')).toBeUndefined();
  expect(found('nothing')).toBeUndefined();
  expect(found('eph')).toBeUndefined();
});

test('time fields', async () => {
  const { fields, timeField } = await load('wide');
  expect(timeField).toBe('ts');
  expect(fields.get('start_time')?.time).toEqual({ kind: 'epoch', unit: 's' });
  expect(fields.get('time_empty')?.time).toEqual({ kind: 'epoch', unit: 'ms' });
  expect(fields.get('response_time')?.time).toBeUndefined();
  expect((await load('other.t')).timeField).toBe('y');
  expect((await load('empty')).timeField).toBeUndefined();
  const chosen = createCatalog(executor, 'default', () => ({
    timeField: 'nothing',
    defaultTimeFieldName: 'x',
  }));
  const other = await chosen.table('other.t');
  expect(other?.timeField).toBe('x');
  expect(other?.timeFieldProblem).toMatch(
    /^timeField of the table names \[nothing\], which is no field of the table: it is not used/,
  );
  chosen.close();
});

test('a default time field that is none is told of a table that has it alone', async () => {
  const chosen = createCatalog(executor, 'default', () => ({ defaultTimeFieldName: 'a\\b' }));
  expect((await chosen.table('od.d`n'))?.timeFieldProblem).toMatch(
    /^defaultTimeFieldName names \[a\\b\], which is no single-valued date field/,
  );
  expect((await chosen.table('other.t'))?.timeFieldProblem).toBeUndefined();
  chosen.close();
});

test('names: quoted, with a database, whole name first, missing', async () => {
  expect([...(await load('od.d`n')).fields.keys()]).toEqual(['a\\b', 'a\\b.keyword']);
  expect((await load('other.t')).database).toBe('other');
  expect([...(await load('other.both')).fields.keys()]).toEqual(['whole']);
  expect(await catalog.table('missing')).toBeUndefined();
  expect(await catalog.table("x' OR 1")).toBeUndefined();
});

test('a table is read once, a missing one is looked for again', async () => {
  const [first, second] = await Promise.all([catalog.table('empty'), catalog.table('empty')]);
  expect(first).toBe(second);
  expect(await catalog.table('late')).toBeUndefined();
  await admin.command({ query: 'CREATE TABLE late (a UInt8) ENGINE = Memory' });
  expect([...(await load('late')).fields.keys()]).toEqual(['a']);
  await admin.command({ query: 'ALTER TABLE empty ADD COLUMN added UInt8' });
  expect((await load('empty')).field('added')).toBeUndefined();
  catalog.forget('empty');
  expect((await load('empty')).field('added')).toBeDefined();
});

test('ClickHouse gone is an error, and not kept', async () => {
  const own = createExecutor({ url: 'http://127.0.0.1:1' });
  const broken = createCatalog(own, 'default');
  await expect(broken.table('wide')).rejects.toMatchObject({ status: 503 });
  await expect(broken.table('wide')).rejects.toMatchObject({ status: 503 });
  broken.close();
  await own.close();
});
