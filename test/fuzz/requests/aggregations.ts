import * as fc from 'fast-check';
import {
  isJsonObject,
  type JsonObject,
  type JsonValue,
} from '../../../plugins/kibana-clickhouse/common/json/json';
import { type FuzzDocuments, uniqueField } from '../documents/field';
import { geoBuckets, geoMetrics } from './geo-aggregations';
import { dateFormats, fieldsOfKind, mostly, options, seldom, timeZones } from './context';
import { compositeOf, furtherBuckets } from './further-buckets';
import { topHits } from './hits';
import { pipelinesBelow, pipelinesBeside } from './pipelines';

type Named = Readonly<Record<string, JsonObject>>;

const hour = 3_600_000;
const day = 24 * hour;

/** Intervals that give at most some hundred buckets; the calendar's first. */
function intervals({ firstMs, lastMs }: FuzzDocuments): fc.Arbitrary<JsonObject> {
  const span = lastMs - firstMs;
  const fitting = (all: readonly (readonly [string, number])[]): readonly string[] =>
    all.filter(([, ms]) => span / ms < 150).map(([text]) => text);
  const calendar = fitting([
    ['1m', 60_000],
    ['minute', 60_000],
    ['1h', hour],
    ['hour', hour],
    ['1d', day],
    ['day', day],
    ['1w', 7 * day],
    ['week', 7 * day],
    ['1M', 30 * day],
    ['month', 30 * day],
    ['1q', 91 * day],
    ['1y', 365 * day],
    ['year', 365 * day],
  ]);
  const fixed = fitting([
    ['30s', 30_000],
    ['90000ms', 90_000],
    ['5m', 300_000],
    ['10m', 600_000],
    ['1h', hour],
    ['90m', 1.5 * hour],
    ['3h', 3 * hour],
    ['12h', 12 * hour],
    ['1d', day],
    ['7d', 7 * day],
    ['30d', 30 * day],
    ['1000d', 1000 * day],
  ]);
  return fc.oneof(
    {
      weight: 40,
      arbitrary: fc.constantFrom(...calendar).map((text) => ({ calendar_interval: text })),
    },
    { weight: 40, arbitrary: fc.constantFrom(...fixed).map((text) => ({ fixed_interval: text })) },
    {
      weight: 10,
      arbitrary: fc.constantFrom(...calendar, ...fixed).map((text) => ({ interval: text })),
    },
    {
      weight: 1,
      arbitrary: fc.constantFrom<JsonObject>(
        { fixed_interval: '1M' },
        { calendar_interval: '2d' },
        {},
        { fixed_interval: '0s' },
      ),
    },
  );
}

/** Orders by count, key, or one of the metrics beside the sub-aggregations. */
function orders(metrics: readonly string[]): fc.Arbitrary<JsonValue> {
  const direction = fc.constantFrom('asc', 'desc');
  const by = fc.constantFrom(
    '_count',
    '_key',
    ...metrics,
    ...metrics,
    ...metrics.map((name) => `${name}.value`),
  );
  const one = fc.tuple(by, direction).map(([key, word]) => ({ [key]: word }));
  const many = fc.array(one, { minLength: 1, maxLength: 2 });
  return mostly(
    fc.oneof<[fc.Arbitrary<JsonValue>, fc.Arbitrary<JsonValue>]>(one, many),
    fc.constant({ absent: 'desc' }),
    40,
  );
}

/** Ends near those of the documents, so that a few empty buckets are added, or none. */
function bounds({ firstMs, lastMs }: FuzzDocuments): fc.Arbitrary<JsonValue> {
  const step = Math.round((lastMs - firstMs) / 3);
  const side = (ms: number): fc.Arbitrary<JsonValue> =>
    fc.integer({ min: -step, max: step }).map((move) => ms + move);
  return options({
    min: side(firstMs + step),
    max: side(lastMs - step).map((ms) => Number(ms) + 2 * step),
  });
}

const offsets = fc.constantFrom<JsonValue>('+1h', '-30m', '6h', '+1d', '-90s', 3_600_000, '0s');

function histogramOf(
  documents: FuzzDocuments,
  metrics: readonly string[],
): fc.Arbitrary<JsonObject> {
  const names = fieldsOfKind(documents, 'date', 'date_nanos').map(({ name }) => name);
  const field = mostly(fc.constantFrom('@timestamp', ...names), fc.constant('unknown'), 40);
  const extra = fc.oneof(
    {
      weight: 1,
      arbitrary: options({
        min_doc_count: fc.constantFrom<JsonValue>(0, 1, 1, 2),
        time_zone: timeZones,
      }),
    },
    {
      weight: 1,
      arbitrary: options({
        min_doc_count: fc.constantFrom<JsonValue>(0, 1),
        time_zone: timeZones,
        offset: offsets,
        format: dateFormats,
        keyed: fc.boolean(),
        extended_bounds: bounds(documents),
        order: orders(metrics),
      }),
    },
  );
  return fc
    .tuple(field, intervals(documents), extra.map(withoutTwins))
    .map(([name, interval, rest]) => ({ date_histogram: { field: name, ...interval, ...rest } }));
}

/** With a coarse format, keyed buckets would be members of one name: Elasticsearch writes them all, which is no JSON. */
const withoutTwins = ({ format, ...rest }: JsonObject): JsonObject =>
  format === undefined || rest['keyed'] === true ? rest : { ...rest, format };

function termsOf(documents: FuzzDocuments, metrics: readonly string[]): fc.Arbitrary<JsonObject> {
  const fields = fieldsOfKind(
    documents,
    'keyword',
    'integer',
    'decimal',
    'boolean',
    'ip',
    'date',
    'date_nanos',
  );
  const extra = options({
    size: fc.constantFrom<JsonValue>(1, 2, 3, 5, 10, 100),
    order: orders(metrics),
    min_doc_count: fc.constantFrom<JsonValue>(0, 1, 2, 4),
    show_term_doc_count_error: fc.boolean(),
    shard_size: fc.constantFrom<JsonValue>(25, 100),
  });
  const dateExtra = options({
    size: fc.constantFrom<JsonValue>(2, 10),
    order: orders(metrics),
    min_doc_count: fc.constantFrom<JsonValue>(0, 1),
    format: dateFormats,
  });
  return fc.constantFrom(...fields).chain(({ name, kind }) =>
    (kind === 'date' || kind === 'date_nanos' ? dateExtra : extra).map((rest) => ({
      terms: { field: name, ...withAllCandidates(rest) },
    })),
  );
}

/** Elasticsearch leaves out buckets with too few documents only after it has taken the candidates: then it must take all. */
const withAllCandidates = (terms: JsonObject): JsonObject =>
  Number(terms['min_doc_count'] ?? 1) > 1 ? { ...terms, shard_size: 1000 } : terms;

/** Metrics of a field without further options; the estimates of percentiles are compared by scenarios. */
const plainMetrics = [
  'avg',
  'sum',
  'min',
  'max',
  'stats',
  'extended_stats',
  'value_count',
  'cardinality',
] as const;

function metricOf(documents: FuzzDocuments): fc.Arbitrary<JsonObject> {
  const numbers = fieldsOfKind(documents, 'integer', 'decimal', 'boolean').map(({ name }) => name);
  const dates = fieldsOfKind(documents, 'date', 'date_nanos').map(({ name }) => name);
  const of = fc.constantFrom('unknown', ...numbers, ...numbers);
  const plain = fc.constantFrom(...plainMetrics);
  // Elasticsearch writes one member for each, and equal ones are no JSON
  const values = fc.uniqueArray(fc.integer({ min: -20, max: 2000 }), {
    minLength: 1,
    maxLength: 3,
  });
  return fc.oneof(
    { weight: 6, arbitrary: fc.tuple(plain, of).map(([type, field]) => ({ [type]: { field } })) },
    {
      weight: 2,
      arbitrary: fc
        .tuple(
          fc.constantFrom('avg', 'min', 'max'),
          fc.constantFrom(...dates),
          options({ format: dateFormats }),
        )
        .map(([type, field, rest]) => ({ [type]: { field, ...rest } })),
    },
    {
      weight: 1,
      arbitrary: fc
        .tuple(plain, of, fc.integer({ min: -5, max: 50 }))
        .map(([type, field, missing]) => ({ [type]: { field, missing } })),
    },
    {
      weight: 1,
      arbitrary: of.map((field) => ({ percentiles: { field, percents: [10, 50, 99] } })),
    },
    {
      weight: 1,
      arbitrary: fc
        .tuple(of, values)
        .map(([field, wanted]) => ({ percentile_ranks: { field, values: wanted } })),
    },
    {
      weight: 1,
      arbitrary: fc
        .constantFrom(...fieldsOfKind(documents, 'integer', 'decimal').map(({ name }) => name))
        .map((field) => ({ median_absolute_deviation: { field } })),
    },
    {
      weight: 1,
      arbitrary: fc
        .tuple(of, options({ missing: fc.integer({ min: 0, max: 9 }) }))
        .map(([field, rest]) => ({
          weighted_avg: { value: { field, ...rest }, weight: { field: uniqueField, missing: 1 } },
        })),
    },
  );
}

const conditions = (documents: FuzzDocuments): fc.Arbitrary<JsonObject> =>
  fc.oneof<[fc.Arbitrary<JsonObject>, fc.Arbitrary<JsonObject>]>(
    fc.constantFrom(...documents.fields).map(({ name }) => ({ exists: { field: name } })),
    fc
      .tuple(fc.integer({ min: 0, max: 60 }), fc.integer({ min: 10, max: 60 }))
      .map(([from, length]) => ({ range: { [uniqueField]: { gte: from, lt: from + length } } })),
  );

/** Buckets that are known beforehand: one, some by name or without, ranges. */
function fixedOf(documents: FuzzDocuments): fc.Arbitrary<JsonObject> {
  const condition = conditions(documents);
  // within a byte: Elasticsearch 7.17 refuses other ends for a field of bytes when it makes ranges of them
  const end = fc.integer({ min: -20, max: 120 });
  const numbers = fieldsOfKind(documents, 'integer', 'decimal').map(({ name }) => name);
  return fc.oneof(
    { weight: 2, arbitrary: condition.map((query) => ({ filter: query })) },
    {
      weight: 2,
      arbitrary: fc
        .tuple(
          fc.array(condition, { minLength: 1, maxLength: 3 }),
          options({ other_bucket: fc.boolean() }),
          fc.boolean(),
        )
        .map(([queries, rest, named]) => ({
          filters: {
            filters: named
              ? Object.fromEntries(queries.map((query, i) => [`f${String(i)}`, query]))
              : queries,
            ...rest,
          },
        })),
    },
    {
      weight: 1,
      arbitrary: fc
        .constantFrom(...documents.fields.filter(({ kind }) => kind !== 'text'))
        .map(({ name }) => ({ missing: { field: name } })),
    },
    {
      weight: 2,
      arbitrary: fc
        .tuple(
          fc.constantFrom(...numbers),
          fc.array(options({ from: end, to: end }), { minLength: 1, maxLength: 3 }),
        )
        .map(([field, ranges]) => ({ range: { field, ranges } })),
    },
  );
}

/** With metrics alone below: of terms in its buckets Elasticsearch gives an estimate. */
const autoHistogramOf = (documents: FuzzDocuments): fc.Arbitrary<JsonObject> =>
  fc
    .tuple(
      mostly(fc.constant('@timestamp'), fc.constant('unknown'), 20),
      options({
        buckets: fc.constantFrom<JsonValue>(1, 2, 5, 20, 100),
        // without those that have moved by a part of an hour since 1970
        time_zone: timeZones.filter((zone) => !/Lord_Howe|Kathmandu/.test(zone)),
        format: dateFormats,
        minimum_interval: fc.constantFrom('minute', 'hour', 'day'),
      }),
      seldom(2, { m1: metricOf(documents) }),
    )
    .map(([field, rest, aggs]) => ({ auto_date_histogram: { field, ...rest }, aggs }));

/** Rare terms with nothing below: Elasticsearch 7.17 mixes that up in several buckets. */
const rareOf = (documents: FuzzDocuments): fc.Arbitrary<JsonObject> =>
  fc
    .tuple(
      fc.constantFrom(...fieldsOfKind(documents, 'keyword', 'integer', 'ip')),
      options({ max_doc_count: fc.constantFrom<JsonValue>(1, 2, 10) }),
    )
    .map(([{ name }, rest]) => ({ rare_terms: { field: name, ...rest } }));

function numberHistogramOf(metrics: readonly string[]): fc.Arbitrary<JsonObject> {
  const extra = options({
    min_doc_count: fc.constantFrom<JsonValue>(1, 2),
    offset: fc.constantFrom<JsonValue>(1, 2.5),
    order: orders(metrics),
  });
  return fc
    .tuple(fc.constantFrom(7, 25, 100), extra)
    .map(([interval, rest]) => ({ histogram: { field: uniqueField, interval, ...rest } }));
}

const metricNames = fc.constantFrom<readonly string[]>([], [], ['m1'], ['m1', 'm2']);

/** A bucket aggregation with its metrics and, down to `depth`, further buckets below it. */
function bucketOf(documents: FuzzDocuments, depth: number): fc.Arbitrary<JsonObject> {
  return metricNames.chain((names) => {
    const metrics = fc.tuple(...names.map(() => metricOf(documents)));
    const own = fc.oneof(
      { weight: 4, arbitrary: histogramOf(documents, names) },
      { weight: 4, arbitrary: termsOf(documents, names) },
      { weight: 3, arbitrary: fixedOf(documents) },
      { weight: 2, arbitrary: geoBuckets(documents) },
      { weight: 1, arbitrary: numberHistogramOf(names) },
      { weight: 2, arbitrary: furtherBuckets(documents) },
    );
    const subs: fc.Arbitrary<Named> =
      depth > 1
        ? fc.oneof(
            { weight: 1, arbitrary: fc.constant({}) },
            { weight: 2, arbitrary: namedBuckets(documents, depth - 1) },
          )
        : fc.constant({});
    return fc
      .tuple(
        own,
        metrics,
        subs,
        seldom(6, { hits: topHits(documents), auto: autoHistogramOf(documents) }),
        seldom(6, { meta: fc.constant({ note: 'kept' }) }),
        pipelinesBelow(names),
      )
      .map(([body, made, children, hits, meta, pipelines]) => {
        const below = {
          ...hits,
          ...(isHistogram(body) && pipelines),
          ...Object.fromEntries(names.map((name, at) => [name, made[at] ?? {}])),
          ...children,
        };
        return { ...body, ...(Object.keys(below).length > 0 && { aggs: below }), ...meta };
      });
  });
}

/** Pipelines stand below histograms of all buckets between the first and the last. */
const isHistogram = (body: JsonObject): boolean =>
  ['date_histogram', 'histogram'].some((name) => {
    const histogram = body[name];
    return isJsonObject(histogram) && (histogram['min_doc_count'] ?? 0) === 0;
  });

function namedBuckets(documents: FuzzDocuments, depth: number): fc.Arbitrary<Named> {
  const bucket = bucketOf(documents, depth);
  return fc.oneof(
    {
      weight: 1,
      arbitrary: fc
        .tuple(bucket, fc.oneof(geoMetrics(documents), rareOf(documents)))
        .map(([first, leaf]): Named => ({ '5': first, '6': leaf })),
    },
    { weight: 4, arbitrary: bucket.map((made): Named => ({ '2': made })) },
    {
      weight: 1,
      arbitrary: fc
        .tuple(bucket, pipelinesBeside('2', []))
        .map(([made, beside]): Named => ({ '2': made, ...(beside as Named) })),
    },
    {
      weight: 1,
      arbitrary: fc
        .tuple(bucket, bucket)
        .map(([first, second]): Named => ({ '3': first, '4': second })),
    },
  );
}

/** All documents, or those of a composite, with a tree below. */
const atTheTop = (documents: FuzzDocuments): fc.Arbitrary<JsonObject> =>
  fc
    .tuple(
      fc.oneof(fc.constant<JsonObject>({ global: {} }), compositeOf(documents)),
      namedBuckets(documents, 1),
      metricOf(documents),
    )
    .map(([body, below, m1]) => ({ ...body, aggs: { ...below, m1 } }));

/** Aggregation trees of at most four levels of buckets, with metrics at each. */
export function aggregations(documents: FuzzDocuments): fc.Arbitrary<Named> {
  return fc.oneof(
    {
      weight: 5,
      arbitrary: fc.integer({ min: 1, max: 4 }).chain((depth) => namedBuckets(documents, depth)),
    },
    { weight: 1, arbitrary: metricOf(documents).map((made): Named => ({ '1': made })) },
    { weight: 1, arbitrary: autoHistogramOf(documents).map((made): Named => ({ '1': made })) },
    { weight: 1, arbitrary: atTheTop(documents).map((made): Named => ({ '1': made })) },
  );
}
