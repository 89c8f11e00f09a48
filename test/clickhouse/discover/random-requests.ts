import fc from 'fast-check';
import type { JsonObject, JsonValue } from '../../../plugins/kibana-clickhouse/common/json/json';
import type { RandomTable } from './random-tables';

const minute = 60_000;

/** Options, each there or not. */
const options = (
  made: Readonly<Record<string, fc.Arbitrary<JsonValue>>>,
): fc.Arbitrary<JsonObject> =>
  fc.record(made, { requiredKeys: [] }).map((some) => ({ ...some }) as JsonObject);

const orders = fc.constantFrom('asc', 'desc');

/** An instant in or around a table's rows, often at a minute's edge. */
function instants({ start, length }: RandomTable): fc.Arbitrary<number> {
  const any = fc.integer({
    min: start - Math.ceil(length / 8),
    max: start + length + Math.ceil(length / 8),
  });
  const edge = fc
    .tuple(any, fc.constantFrom(-1, 0, 1))
    .map(([instant, beside]) => instant - (instant % minute) + beside);
  return fc.oneof(any, edge);
}

interface Query {
  readonly query: JsonObject;
  /** Whether both ends of the time are bound. */
  readonly bounded: boolean;
}

interface Bounds {
  readonly range: JsonObject;
  readonly bounded: boolean;
}

function timeRange(table: RandomTable): fc.Arbitrary<Bounds> {
  const { start, length } = table;
  const instant = instants(table);
  const whole = fc.constant<JsonObject>({ gte: start - 1, lte: start + length });
  const one = fc
    .tuple(instant, instant, fc.constantFrom('gte', 'gt'), fc.constantFrom('lte', 'lt'))
    .map(([a, b, lower, upper]): JsonObject => ({
      [lower]: Math.min(a, b),
      [upper]: Math.max(a, b),
    }));
  const open = fc
    .tuple(instant, fc.constantFrom('gte', 'gt', 'lte', 'lt'))
    .map(([at, bound]): JsonObject => ({ [bound]: at }));
  const bounds = fc.oneof(
    { weight: 5, arbitrary: whole },
    { weight: 4, arbitrary: one },
    { weight: 1, arbitrary: open },
  );
  return bounds.map((bound) => ({
    range: { range: { [table.time.name]: { ...bound, format: 'epoch_millis' } } },
    bounded: Object.keys(bound).length > 1,
  }));
}

const filters: fc.Arbitrary<JsonValue> = fc.oneof(
  fc.constantFrom('a', 'b', 'none').map((host) => ({ term: { host } })),
  fc.constantFrom(200, 404, 503).map((status) => ({ term: { status } })),
  fc.constant<JsonObject>({ exists: { field: 'latency' } }),
  fc.constant<JsonObject>({ match: { message: 'more' } }),
  fc.integer({ min: 0, max: 400 }).map((id) => ({ range: { id: { lt: id } } })),
);

/** Mostly with the time range as a filter; now and then without, or with one that need not hold. */
function queries(table: RandomTable): fc.Arbitrary<Query> {
  const others = fc.array(filters, { maxLength: 2 });
  const ranged = fc
    .tuple(fc.array(timeRange(table), { minLength: 1, maxLength: 2 }), others, others)
    .map(([ranges, filter, without]): Query => ({
      query: {
        bool: {
          filter: [...ranges.map(({ range }) => range), ...filter],
          ...(without.length > 1 && { must_not: without }),
        },
      },
      bounded: ranges.some(({ bounded }) => bounded),
    }));
  const either = fc.tuple(timeRange(table), filters).map(([{ range }, filter]): Query => ({
    query: { bool: { should: [range, filter] } },
    bounded: false,
  }));
  return fc.oneof(
    { weight: 12, arbitrary: ranged },
    { weight: 1, arbitrary: either },
    { weight: 1, arbitrary: fc.constant<Query>({ query: { match_all: {} }, bounded: false }) },
  );
}

function sorts({ time, layout }: RandomTable): fc.Arbitrary<readonly JsonValue[]> {
  const byTime = options({
    order: orders,
    missing: fc.constantFrom('_first', '_last'),
    format: fc.constantFrom('strict_date_optional_time', 'epoch_millis'),
    unmapped_type: fc.constant('boolean'),
    numeric_type: fc.constantFrom('date'),
  }).map((body): JsonValue => ({ [time.name]: body }));
  const other: fc.Arbitrary<JsonValue> = fc
    .tuple(fc.constantFrom('host', 'status', 'latency', '_doc', 'id'), orders)
    .map(([key, order]) => ({ [key]: order }));
  const first = fc.oneof(
    { weight: 10, arbitrary: byTime.map((key) => [key]) },
    { weight: 1, arbitrary: byTime.map((key): JsonValue[] => ['_score', key]) },
    { weight: 1, arbitrary: other.map((key) => [key]) },
    { weight: 1, arbitrary: fc.tuple(other, byTime) },
  );
  const last = layout.ordered ? fc.constantFrom([], [], ['_doc'], ['id']) : fc.constantFrom(['id']);
  return fc
    .tuple(first, fc.array(other, { maxLength: 2 }), last)
    .map(([keys, more, end]): readonly JsonValue[] => [...keys, ...more, ...end]);
}

const zones = fc.constantFrom(
  'UTC',
  'Europe/Berlin',
  'Asia/Kathmandu',
  '+05:30',
  'America/St_Johns',
);

/** Starts of days and months of all time make long statements: only where the time is bounded. */
function histograms(
  { time: { name }, start, length }: RandomTable,
  bounded: boolean,
): fc.Arbitrary<JsonObject> {
  const interval = fc.oneof(
    fc
      .constantFrom('30s', '1m', '90s', '5m', '1h', '1d', '7d')
      .map((fixed): JsonObject => ({ fixed_interval: fixed })),
    fc
      .constantFrom('minute', 'hour', 'day', ...(bounded ? ['week', 'month'] : []))
      .map((calendar): JsonObject => ({ calendar_interval: calendar })),
  );
  const more = options({
    time_zone: bounded ? zones : fc.constant('+05:30'),
    offset: fc.constantFrom('30s', '-5m', '+1h'),
    min_doc_count: fc.constantFrom(0, 1, 3),
    order: fc.constantFrom<JsonValue>({ _count: 'desc' }, { _key: 'desc' }),
    keyed: fc.boolean(),
    hard_bounds: fc.constant({ min: start, max: start + Math.floor(length / 2) }),
  });
  return fc.tuple(interval, more).map(([width, rest]): JsonObject => ({
    // an offset of gaps over a long time would be more buckets than an answer has
    date_histogram: {
      field: name,
      ...width,
      ...rest,
      ...(length > 86_400_000 && { min_doc_count: 1 }),
    },
  }));
}

function aggregations(table: RandomTable, bounded: boolean): fc.Arbitrary<JsonObject> {
  const histogram = histograms(table, bounded);
  const simple = histograms(table, false).map(({ date_histogram: made }): JsonObject => ({
    date_histogram: { ...(made as JsonObject), missing: table.start },
  }));
  const below: JsonObject = { mean: { avg: { field: 'status' } } };
  const terms: JsonObject = { terms: { field: 'host' } };
  return fc.oneof(
    { weight: 6, arbitrary: histogram.map((one): JsonObject => ({ '2': one })) },
    {
      weight: 1,
      arbitrary: histogram.map((one): JsonObject => ({ '2': { ...one, aggs: below } })),
    },
    { weight: 1, arbitrary: histogram.map((one): JsonObject => ({ terms, '2': one })) },
    { weight: 1, arbitrary: simple.map((one): JsonObject => ({ '2': one })) },
    { weight: 1, arbitrary: histogram.map((one): JsonObject => ({ '2': one, ...below })) },
    {
      weight: 1,
      arbitrary: fc.tuple(histogram, histogram).map(([a, b]): JsonObject => ({ a, b })),
    },
    {
      weight: 1,
      arbitrary: histogram.map((one): JsonObject => ({ terms: { ...terms, aggs: { one } } })),
    },
    {
      weight: 1,
      arbitrary: simple.map((one): JsonObject => ({
        some: { filter: { term: { host: 'a' } }, aggs: { one } },
        all: { global: {}, aggs: { one } },
      })),
    },
  );
}

/** Searches as Discover and others ask them, of a table. */
export function randomRequest(table: RandomTable): fc.Arbitrary<JsonObject> {
  const page = fc.oneof(
    { weight: 6, arbitrary: fc.record({ size: fc.integer({ min: 1, max: 8 }) }) },
    { weight: 2, arbitrary: fc.record({ size: fc.integer({ min: 0, max: 600 }) }) },
    {
      weight: 3,
      arbitrary: fc.record({
        from: fc.oneof(fc.integer({ min: 0, max: 8 }), fc.integer({ min: 0, max: 120 })),
        size: fc.integer({ min: 1, max: 8 }),
      }),
    },
  );
  const counted = options({
    track_total_hits: fc.oneof(
      { weight: 3, arbitrary: fc.constant<JsonValue>(true) },
      { weight: 2, arbitrary: fc.constant<JsonValue>(false) },
      { weight: 1, arbitrary: fc.integer({ min: 1, max: 50 }) },
    ),
  });
  const rarely = options({
    terminate_after: fc.integer({ min: 1, max: 100 }),
    track_scores: fc.boolean(),
  });
  return fc
    .record({
      sort: sorts(table),
      page,
      counted,
      rarely: fc.oneof(
        { weight: 6, arbitrary: fc.constant<JsonObject>({}) },
        { weight: 1, arbitrary: rarely },
      ),
      asked: queries(table).chain(({ query, bounded }) =>
        fc.option(aggregations(table, bounded)).map((aggs) => ({ query, aggs })),
      ),
    })
    .map(({ asked: { query, aggs }, sort, ...rest }) => ({
      query,
      sort,
      ...rest.page,
      ...rest.counted,
      ...rest.rarely,
      ...(aggs && { aggs }),
    }));
}
