import { as, asc, column } from '../../../plugins/kibana-clickhouse/clickhouse/sql/build';
import type { SelectNode } from '../../../plugins/kibana-clickhouse/clickhouse/sql/nodes';
import {
  bucketKey,
  type InstantRange,
} from '../../../plugins/kibana-clickhouse/search/aggregations/bucket/date-bucket-key';
import {
  type CalendarUnit,
  type DateInterval,
  dateRounding,
} from '../../../plugins/kibana-clickhouse/search/aggregations/bucket/date-rounding';
import { zoneOffsets } from '../../../plugins/kibana-clickhouse/search/aggregations/bucket/zone-offsets';
import { parseTimeZone } from '../../../plugins/kibana-clickhouse/search/values/time-zone';
import { type Bench, openBench } from './support';

let bench: Bench;
beforeAll(async () => {
  bench = await openBench();
}, 60_000);
afterAll(() => bench.close());

const minute = 60_000;
const hour = 60 * minute;
const day = 24 * hour;

const intervals: readonly DateInterval[] = [
  ...[1, 1000, 7 * minute, 30 * minute, 45 * minute, hour, 2 * hour, 3 * hour, day, 7 * day].map(
    (ms): DateInterval => ({ kind: 'fixed', ms }),
  ),
  ...(['second', 'minute', 'hour', 'day', 'week', 'month', 'quarter', 'year'] as const).map(
    (unit: CalendarUnit): DateInterval => ({ kind: 'calendar', unit }),
  ),
];

const zones = [
  'UTC',
  '-04:30',
  'Europe/Warsaw',
  'America/Sao_Paulo',
  'Asia/Kolkata',
  'Australia/Lord_Howe',
  'America/New_York',
  'Asia/Tehran',
  'Africa/Abidjan',
  'Pacific/Apia',
  // clocks went back over midnight
  'America/St_Johns',
  'America/Havana',
];

const ranges: readonly Required<InstantRange>[] = [
  { from: Date.UTC(2009, 9, 1), to: Date.UTC(2010, 0, 31) },
  { from: Date.UTC(2011, 11, 29, 12), to: Date.UTC(2011, 11, 31, 12) },
  { from: Date.UTC(1960, 0, 1), to: Date.UTC(1972, 0, 1) },
];
/** Where a query leaves a side open; a few zones are enough for it. */
const allTime: Required<InstantRange> = { from: Date.UTC(1900, 0, 2), to: Date.UTC(2290, 0, 1) };
const allTimeZones = ['UTC', 'Europe/Warsaw', 'Australia/Lord_Howe', 'America/St_Johns'];

/** Instants spread over a range and crowded around its changes of offset. */
function instantsOf(zone: string, { from, to }: Required<InstantRange>): readonly number[] {
  const spread = Array.from({ length: 200 }, (_, i) => from + Math.floor(((to - from) * i) / 199));
  const changes = zoneOffsets(parseTimeZone(zone))
    .segments(from, to)
    .slice(1)
    .map((segment) => segment.from);
  const step = Math.max(1, Math.floor(changes.length / 20));
  const near = changes
    .filter((_, i) => i % step === 0)
    .flatMap((change) =>
      [-day, -3 * hour, -hour, -31 * minute, -minute, -1, 0, 1, minute, 29 * minute]
        .concat([30 * minute, 59 * minute, hour, 61 * minute, 2 * hour, 7 * hour, day, 2 * day])
        .map((distance) => change + distance),
    );
  return [...spread, ...near].filter((instant) => instant >= from && instant <= to);
}

describe.each(zones)('in %s', (zone) => {
  const tried = allTimeZones.includes(zone) ? [...ranges, allTime] : ranges;

  test.each(tried)(
    'SQL rounds as TypeScript does in $from to $to',
    async (range) => {
      const instants = instantsOf(zone, range);
      await bench.sql('CREATE OR REPLACE TABLE instants (x Int64) ENGINE = Memory');
      await bench.sql(
        `INSERT INTO instants VALUES ${instants.map((x) => `(${String(x)})`).join()}`,
      );
      const roundings = intervals.map((interval) => dateRounding(interval, parseTimeZone(zone)));
      const statement = (given: InstantRange): SelectNode => ({
        columns: [
          as('x', column('x')),
          ...roundings.map((rounding, i) =>
            as(`key_${String(i)}`, bucketKey(column('x'), rounding, given)),
          ),
        ],
        from: { kind: 'table', database: 'default', table: 'instants' },
        orderBy: [asc(column('x'))],
      });
      const [result] = await bench.run([statement(range === allTime ? {} : range)]);
      const wrong = (result?.rows ?? []).flatMap(([x, ...keys]) =>
        roundings.flatMap(({ interval, round }, i) =>
          Number(keys[i]) === round(Number(x))
            ? []
            : [{ interval, x, key: keys[i], expected: round(Number(x)) }],
        ),
      );
      expect(wrong.slice(0, 5)).toEqual([]);
      expect(result?.rows).toHaveLength(instants.length);
    },
    30_000,
  );
});
