import {
  aggregationInitialization,
  illegalArgument,
  parsingError,
  unknownName,
  unsupported,
} from '../../common/errors/catalogue';
import { isJsonObject, type JsonObject, type JsonValue } from '../../common/json/json';
import { autoDateHistogram } from './bucket/auto-date-histogram';
import { composite } from './bucket/composite';
import { dateHistogram } from './bucket/date-histogram';
import { filter } from './bucket/filter';
import { filters } from './bucket/filters';
import { geoDistance } from './bucket/geo-distance';
import { geohashGrid } from './bucket/geohash-grid';
import { geotileGrid } from './bucket/geotile-grid';
import { globalBucket } from './bucket/global';
import { histogram } from './bucket/histogram';
import { ipPrefix } from './bucket/ip-prefix';
import { ipRange } from './bucket/ip-range';
import { missing } from './bucket/missing';
import { multiTerms } from './bucket/multi-terms';
import { nested } from './bucket/nested';
import { dateRange, range } from './bucket/range';
import { rareTerms } from './bucket/rare-terms';
import { reverseNested } from './bucket/reverse-nested';
import { randomSampler, sampler } from './bucket/sampler';
import { significantTerms } from './bucket/significant-terms';
import { terms } from './bucket/terms';
import type { AggregationNode, AggregationType, NamedAggregation } from './definition';
import { elasticsearchAggregations } from './known-types';
import { avg } from './metric/avg';
import { cardinality } from './metric/cardinality';
import { extendedStats } from './metric/extended-stats';
import { geoBounds } from './metric/geo-bounds';
import { geoCentroid } from './metric/geo-centroid';
import { max } from './metric/max';
import { medianAbsoluteDeviation } from './metric/median-absolute-deviation';
import { min } from './metric/min';
import { percentileRanks } from './metric/percentile-ranks';
import { percentiles } from './metric/percentiles';
import { rate } from './metric/rate';
import { stats } from './metric/stats';
import { sum } from './metric/sum';
import { topHits } from './metric/top-hits';
import { topMetrics } from './metric/top-metrics';
import { valueCount } from './metric/value-count';
import { weightedAvg } from './metric/weighted-avg';
import {
  avgBucket,
  extendedStatsBucket,
  maxBucket,
  minBucket,
  statsBucket,
  sumBucket,
} from './pipeline/bucket-metrics';
import { bucketScript } from './pipeline/bucket-script';
import { bucketSelector } from './pipeline/bucket-selector';
import { bucketSort } from './pipeline/bucket-sort';
import { cumulativeSum } from './pipeline/cumulative-sum';
import { derivative } from './pipeline/derivative';
import { normalize } from './pipeline/normalize';
import { movingFn } from './pipeline/moving-fn';
import { percentilesBucket } from './pipeline/percentiles-bucket';
import { serialDiff } from './pipeline/serial-diff';
import { suggestion } from '../suggestion';
import { tokenType } from './options';

/** The aggregations that are answered, by name: one file each. */
export const aggregationTypes: ReadonlyMap<string, AggregationType> = new Map(
  [
    autoDateHistogram,
    avg,
    avgBucket,
    bucketScript,
    bucketSelector,
    bucketSort,
    cardinality,
    composite,
    cumulativeSum,
    dateHistogram,
    dateRange,
    derivative,
    extendedStats,
    extendedStatsBucket,
    filter,
    filters,
    geoBounds,
    geoCentroid,
    geoDistance,
    geohashGrid,
    geotileGrid,
    globalBucket,
    histogram,
    ipPrefix,
    ipRange,
    max,
    maxBucket,
    medianAbsoluteDeviation,
    min,
    minBucket,
    missing,
    movingFn,
    multiTerms,
    nested,
    normalize,
    percentileRanks,
    percentiles,
    percentilesBucket,
    randomSampler,
    range,
    rate,
    rareTerms,
    reverseNested,
    sampler,
    serialDiff,
    significantTerms,
    stats,
    statsBucket,
    sum,
    sumBucket,
    terms,
    topHits,
    topMetrics,
    valueCount,
    weightedAvg,
  ].map((type) => [type.name, type]),
);

/**
 * The aggregations of a body's `aggs` (or `aggregations`), in the request's order; none of an absent
 * one. Throws Elasticsearch's 400 for names, types, options and shapes it would refuse, and an
 * error that starts with `[kibana-clickhouse] unsupported` for what only Elasticsearch can do.
 */
export function parseAggregations(body: JsonValue | undefined): readonly NamedAggregation[] {
  if (body === undefined) return [];
  if (!isJsonObject(body))
    throw parsingError('Found [aggs] or [aggregations] that is not an object');
  return Object.entries(body).map(([name, definition]) => parseNamed(name, definition));
}

function parseNamed(name: string, definition: JsonValue): NamedAggregation {
  if (name === '' || /[[\]>]/.test(name))
    throw parsingError(
      `Invalid aggregation name [${name}]. Aggregation names can contain any character except '[', ']', and '>'`,
    );
  if (!isJsonObject(definition))
    throw parsingError(
      // without the second bracket, as Elasticsearch 7.17 writes it
      `Aggregation definition for [${name} starts with a [${tokenType(definition)}], expected a [START_OBJECT].`,
    );
  const node = parseNode(name, definition);
  const meta = parseMeta(name, definition);
  const subs = parseSubs(name, definition);
  if (!['bucket', 'fixed', 'global'].includes(node.family) && subs.length > 0)
    throw aggregationInitialization(
      `Aggregator [${name}] of type [${node.type}] cannot accept sub-aggregations`,
    );
  return { name, node, subs, ...(meta && { meta }) };
}

const besideType = ['aggs', 'aggregations', 'meta'];

function parseNode(name: string, definition: JsonObject): AggregationNode {
  const found = Object.entries(definition).filter(([key]) => !besideType.includes(key));
  const [first, second] = found;
  if (!first) throw parsingError(`Missing definition for aggregation [${name}]`);
  const [type, body] = first;
  if (!isJsonObject(body))
    throw parsingError(
      `Expected [START_OBJECT] under [${type}], but got a [${typeof body}] in [${name}]`,
    );
  if (second)
    throw parsingError(
      `Found two aggregation type definitions in [${name}]: [${type}] and [${second[0]}]`,
    );
  const known = aggregationTypes.get(type);
  if (known) return known.parse(body, name);
  if (elasticsearchAggregations.includes(type)) throw unsupported(`aggregation [${type}]`);
  throw unknownName(
    `Unknown aggregation type [${type}]${suggestion(type, elasticsearchAggregations)}`,
    type,
  );
}

function parseMeta(name: string, { meta }: JsonObject): JsonObject | undefined {
  if (meta === undefined) return undefined;
  if (isJsonObject(meta)) return meta;
  throw parsingError(
    `Expected [START_OBJECT] under [meta], but got a [${typeof meta}] in [${name}]`,
  );
}

function parseSubs(name: string, definition: JsonObject): readonly NamedAggregation[] {
  const { aggs, aggregations } = definition;
  if (aggs !== undefined && aggregations !== undefined)
    throw parsingError(`Found two sub aggregation definitions under [${name}]`);
  const subs = aggs ?? aggregations;
  if (subs === undefined) return [];
  if (!isJsonObject(subs)) throw illegalArgument(`Sub-aggregations of [${name}] must be an object`);
  return parseAggregations(subs);
}
