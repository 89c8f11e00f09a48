import type { Table } from '../../../plugins/kibana-clickhouse/clickhouse/catalog/table';
import { type Bench, openBench } from './support';

let bench: Bench;
let table: Table;

beforeAll(async () => {
  bench = await openBench();
  await bench.sql(`CREATE TABLE logs (
    ts DateTime64(3, 'UTC'), day Date, at_time Int64, host String, level LowCardinality(String),
    bytes Nullable(Int64), price Nullable(Float64), ok Bool, ip IPv6, tags Array(String),
    seen Array(DateTime64(3, 'UTC')), big UInt64
  ) ENGINE = MergeTree ORDER BY ts`);
  await bench.sql(`INSERT INTO logs VALUES
    ('2024-01-01 00:10:00.000', '2024-01-01', 1704067800000, 'a', 'info', 10, 1.5, true, '10.0.0.1', ['x','y','x'], ['2024-01-01 00:00:01.000','2024-01-01 00:00:02.000','2024-01-02 00:00:00.000'], 18446744073709551615),
    ('2024-01-01 01:20:00.000', '2024-01-01', 1704072000000, 'b', 'warn', 20, NULL, false, '::1', ['y'], [], 18446744073709551615),
    ('2024-01-01 04:30:00.000', '2024-01-01', 1704083400000, 'a', 'info', NULL, 2.5, true, '10.0.0.1', [], ['2024-01-03 00:00:00.000'], 1),
    ('2024-01-03 00:00:00.000', '2024-01-03', 1704240000000, 'c', 'info', 30, NULL, true, '10.0.0.2', ['z','y'], ['2024-01-03 00:00:00.000'], 2)`);
  table = await bench.table('logs');
}, 60_000);
afterAll(() => bench.close());

const search = async (aggs: Parameters<Bench['search']>[1]) => bench.search(table, aggs);

describe('avg', () => {
  test('of all, of none and of what is unmapped', async () => {
    const { aggregations, total } = await search({
      a: { avg: { field: 'bytes' }, meta: { k: 1 } },
      b: { avg: { field: 'nothing' } },
      c: { avg: { field: 'ok' } },
      d: { avg: { field: 'ts' } },
      e: { avg: { field: 'big' } },
    });
    expect(total).toBe(4);
    expect(aggregations).toEqual({
      a: { meta: { k: 1 }, value: 20 },
      b: { value: null },
      c: { value: 0.75, value_as_string: 'true' },
      d: {
        value: 1704128700000 - 43200000 + 25200000 - 7200000,
        value_as_string: expect.any(String),
      },
      e: { value: 9223372036854775000 },
    });
  });
});
describe('shapes', () => {
  test.each([
    [{ h: { terms: { field: 'host' } } }],
    [{ h: { terms: { field: 'level', size: 1 } } }],
    [
      {
        h: {
          terms: { field: 'host', size: 1 },
          aggs: {
            d: {
              date_histogram: { field: 'ts', fixed_interval: '1h' },
              aggs: { a: { avg: { field: 'bytes' } } },
            },
          },
        },
      },
    ],
    [
      {
        h: {
          terms: { field: 'level', size: 1 },
          aggs: {
            d: {
              date_histogram: { field: 'ts', fixed_interval: '1h', min_doc_count: 1 },
              aggs: { a: { avg: { field: 'bytes' } } },
            },
          },
        },
      },
    ],
    [
      {
        h: {
          terms: { field: 'tags', size: 2, order: { a: 'desc' } },
          aggs: { a: { avg: { field: 'bytes' } } },
        },
      },
    ],
    [
      {
        h: { terms: { field: 'ip', size: 2 } },
        b: { terms: { field: 'ok' } },
        n: { terms: { field: 'big' } },
        f: { terms: { field: 'price' } },
        t: { terms: { field: 'day' } },
        z: { terms: { field: 'bytes' } },
      },
    ],
    [
      {
        h: {
          date_histogram: { field: 'seen', calendar_interval: '1d' },
          aggs: { t: { terms: { field: 'tags' } } },
        },
      },
    ],
    [
      {
        h: {
          date_histogram: { field: 'at_time', calendar_interval: '1M', time_zone: 'Europe/Warsaw' },
          aggs: {
            t: { terms: { field: 'tags' } },
            l: { terms: { field: 'level' }, aggs: { a: { avg: { field: 'price' } } } },
          },
        },
      },
    ],
  ])('%j', async (aggs) => {
    const plan = bench.plan(table, aggs);
    const answer = plan.assemble(await bench.run(plan.statements));
    process.stdout.write(
      `${JSON.stringify(aggs)}\n${JSON.stringify(answer, (_k, v: unknown) => (typeof v === 'bigint' ? String(v) : v))}\n`,
    );
  });
});
