import fc from 'fast-check';
import type { Table } from '../../../plugins/kibana-clickhouse/clickhouse/catalog/table';
import {
  alwaysTrue,
  and,
  binary,
  call,
  column,
  param,
} from '../../../plugins/kibana-clickhouse/clickhouse/sql/build';
import { type Aggregation, type Aggregations, type Doc, evaluate } from './brute-force';
import { type Bench, openBench } from './support';

let bench: Bench;
let tables = 0;

beforeAll(async () => {
  bench = await openBench();
}, 60_000);
afterAll(() => bench.close());

// the night when clocks in Warsaw went forward
const from = Date.parse('2026-03-28T18:00:00Z');
const to = Date.parse('2026-03-29T06:00:00Z');

const instant = fc.integer({ min: from / 60_000, max: to / 60_000 }).map((m) => m * 60_000);
const some = <T>(value: fc.Arbitrary<T>): fc.Arbitrary<readonly T[]> =>
  fc.oneof(
    { weight: 4, arbitrary: value.map((v) => [v]) },
    { weight: 1, arbitrary: fc.constant([]) },
  );
const many = <T>(value: fc.Arbitrary<T>): fc.Arbitrary<readonly T[]> =>
  fc.array(value, { maxLength: 3 });
const word = fc.constantFrom('', 'a', 'b', 'ä', 'Z', '日本', '😀');
const number = fc.integer({ min: -2, max: 3 });

const doc: fc.Arbitrary<Doc> = fc.record({
  ts: some(instant),
  seen: many(instant),
  host: some(word),
  level: word.map((v) => [v]),
  tags: many(word),
  n: some(number),
  vals: many(number),
  ok: fc.boolean().map((v) => [v]),
});

const direction = fc.constantFrom('asc' as const, 'desc' as const);

function order(
  metrics: readonly string[],
): fc.Arbitrary<readonly Readonly<Record<string, 'asc' | 'desc'>>[]> {
  const item = fc
    .tuple(fc.constantFrom('_count', '_key', ...metrics), direction)
    .map(([path, way]) => ({ [path]: way }));
  return fc.array(item, { minLength: 1, maxLength: 2 });
}

const metric: fc.Arbitrary<Aggregation> = fc
  .constantFrom('n' as const, 'vals' as const)
  .map((field) => ({ avg: { field } }));

/** Trees of up to `depth` levels of buckets; some levels have metrics to be ordered by. */
function tree(depth: number): fc.Arbitrary<Aggregations> {
  const metrics = fc
    .array(metric, { maxLength: 2 })
    .map((found) => Object.fromEntries(found.map((agg, i) => [`m${String(i)}`, agg])));
  if (depth === 0) return metrics;
  const buckets = fc.array(bucket(depth), { minLength: 0, maxLength: 2 });
  return fc.tuple(metrics, buckets).map(([named, levels]) => ({
    ...named,
    ...Object.fromEntries(levels.map((agg, i) => [`b${String(i)}`, agg])),
  }));
}

const bucket = (depth: number): fc.Arbitrary<Aggregation> =>
  tree(depth - 1).chain((aggs) => {
    const metrics = Object.keys(aggs).filter((name) => name.startsWith('m'));
    const terms = fc
      .record({
        field: fc.constantFrom('host', 'level', 'tags', 'n', 'vals', 'ok'),
        size: fc.integer({ min: 1, max: 4 }),
        min_doc_count: fc.integer({ min: 1, max: 2 }),
        order: order(metrics),
      })
      .map((params) => ({ terms: params, aggs }));
    const histogram = fc
      .record({
        field: fc.constantFrom('ts', 'seen'),
        fixed_interval: fc.constantFrom('45m', '1h', '2h', '3h', '1d'),
        time_zone: fc.constantFrom('UTC', 'Europe/Warsaw', 'Australia/Lord_Howe'),
        min_doc_count: fc.integer({ min: 0, max: 2 }),
        order: order(metrics),
      })
      .map((params) => ({ date_histogram: params, aggs }));
    return fc.oneof(terms, histogram);
  });

async function store(docs: readonly Doc[]): Promise<Table> {
  tables += 1;
  const name = `docs_${String(tables)}`;
  await bench.sql(`CREATE TABLE ${name} (
    ts Nullable(DateTime64(3, 'UTC')), seen Array(DateTime64(3, 'UTC')), host Nullable(String),
    level LowCardinality(String), tags Array(String), n Nullable(Int64), vals Array(Int32), ok Bool
  ) ENGINE = Memory`);
  const text = (ms: number): string =>
    new Date(ms).toISOString().replace('T', ' ').replace('Z', '');
  const rows = docs.map((d) =>
    JSON.stringify({
      ts: d.ts.map(text)[0] ?? null,
      seen: d.seen.map(text),
      host: d.host[0] ?? null,
      level: d.level[0],
      tags: d.tags,
      n: d.n[0] ?? null,
      vals: d.vals,
      ok: d.ok[0],
    }),
  );
  if (rows.length > 0) await bench.sql(`INSERT INTO ${name} FORMAT JSONEachRow ${rows.join('\n')}`);
  return bench.table(name);
}

const seed = Number(process.env['FUZZ_SEED'] ?? 20260328);
const numRuns = Number(process.env['FUZZ_CASES'] ?? 60);

test('trees are answered as if each document were looked at', async () => {
  await fc.assert(
    fc.asyncProperty(fc.array(doc, { maxLength: 30 }), tree(3), async (docs, aggs) => {
      const table = await store(docs);
      const { aggregations, total } = await bench.search(table, aggs as never);
      expect(aggregations).toEqual(evaluate(aggs, docs));
      expect(total).toBe(docs.length);
      await bench.sql(`DROP TABLE ${table.name}`);
    }),
    { numRuns, seed },
  );
}, 240_000);

test('a time range in the query is the range of buckets', async () => {
  const range = fc
    .tuple(instant, instant)
    .map(([a, b]) => ({ from: Math.min(a, b), to: Math.max(a, b) }));
  const millis = call('toUnixTimestamp64Milli', column('ts'));
  await fc.assert(
    fc.asyncProperty(fc.array(doc, { maxLength: 30 }), tree(2), range, async (docs, aggs, span) => {
      const table = await store(docs);
      const timeRange = and([
        binary('>=', millis, param(span.from, 'Int64')),
        binary('<=', millis, param(span.to, 'Int64')),
      ]);
      const scope = { where: alwaysTrue, timeRange };
      const { aggregations } = await bench.search(table, aggs as never, { scope, span });
      const within = docs.filter(({ ts }) => ts.some((t) => t >= span.from && t <= span.to));
      expect(aggregations).toEqual(evaluate(aggs, within));
      await bench.sql(`DROP TABLE ${table.name}`);
    }),
    { numRuns: Math.ceil(numRuns / 3), seed },
  );
}, 240_000);
