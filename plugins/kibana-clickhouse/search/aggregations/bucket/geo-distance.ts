import {
  alwaysFalse,
  and,
  binary,
  call,
  column,
  lambda,
  param,
} from '../../../clickhouse/sql/build';
import type { Expr } from '../../../clickhouse/sql/nodes';
import {
  illegalArgument,
  numberFormatError,
  parsingError,
  shardIllegalArgument,
} from '../../../common/errors/catalogue';
import {
  isJsonArray,
  isJsonObject,
  type JsonObject,
  type JsonValue,
} from '../../../common/json/json';
import { squaredPlaneDistance, squaredSine, squaredSineOf } from '../../queries/geo/geo-conditions';
import type { PointParts } from '../../queries/geo/geo-field';
import { parseField } from '../../request/parse-field';
import { stringOf } from '../../values/field-value';
import { metresIn } from '../../values/geo-distance';
import { type GeoPoint, parseGeoPoint } from '../../values/geo-point';
import type { AggregationContext, AggregationType } from '../definition';
import { geoPoints, parsePoints, type PointOptions } from '../geo/geo-points';
import { javaDouble } from '../../values/java-double';
import {
  booleanOption,
  checkOptions,
  doubleOption,
  option,
  textOption,
  wrongType,
} from '../options';
import { writeRanges } from './ranges';

const name = 'geo_distance';

/** A ring around the origin, in the request's unit: `from` inclusive, `to` exclusive. */
interface Ring {
  readonly key: string;
  readonly from: number;
  /** Infinity where open. */
  readonly to: number;
}

interface DistanceParams extends PointOptions {
  readonly origin: GeoPoint;
  /** Metres of the unit. */
  readonly unit: number;
  readonly isPlane: boolean;
  readonly rings: readonly Ring[];
  readonly keyed: boolean;
}

/** Names of the origin, the older ones too. */
const originNames: readonly string[] = ['origin', 'center', 'point', 'por'];

/**
 * `{"geo_distance": {"field": "location", "origin": "52.2,21", "unit": "km", "ranges": [{"to": 100}, {"from": 100}]}}`: a bucket for each
 * ring around a point, in the order of their ends; a document with several points is in every ring that one of them lies in
 * (Elasticsearch 7.17 `GeoDistanceAggregationBuilder`).
 */
export const geoDistance: AggregationType = {
  name,
  parse(body, aggregation) {
    const params = parseDistance(body, aggregation);
    return {
      family: 'fixed',
      type: name,
      params,
      single: false,
      conditions: (context) => conditions(params, context),
      assemble: (buckets) => writeRanges(params.rings.map(writeHead), buckets, params.keyed),
    };
  },
};

function parseDistance(body: JsonObject, aggregation: string): DistanceParams {
  checkOptions(name, body, {
    used: [
      ...['field', 'missing', ...originNames],
      ...['unit', 'distance_type', 'ranges', 'keyed'],
    ],
    ignored: ['value_type'],
  });
  const named = originNames.find((key) => option(body, key) !== undefined);
  if (named === undefined)
    throw illegalArgument(`Aggregation [${aggregation}] must define an [origin].`);
  return {
    ...parsePoints(body, name, 'field, script'),
    origin: parseOrigin(option(body, named) ?? null),
    unit: parseField(name, 'unit', () => metresIn(textOption(body, 'unit', name) ?? 'm')),
    isPlane: parseField(name, 'distance_type', () => isPlane(body)),
    rings: parseRings(body, aggregation),
    keyed: parseField(name, 'keyed', () => booleanOption(body, 'keyed', name)) ?? false,
  };
}

function parseOrigin(value: JsonValue): GeoPoint {
  if (typeof value === 'boolean') throw wrongType(name, 'origin', value);
  return parseField(name, 'origin', () => {
    const isPartial = isJsonObject(value) && !('lat' in value && 'lon' in value);
    if (!isPartial) return parseGeoPoint(value);
    throw parsingError(
      `malformed [${'lat' in value ? 'lat' : 'lon'}] geo point object. either [lat] or [lon] (or both) are missing`,
    );
  });
}

function isPlane(body: JsonObject): boolean {
  const type = textOption(body, 'distance_type', name) ?? 'arc';
  if (/^(?:arc|plane)$/i.test(type)) return type.toLowerCase() === 'plane';
  throw illegalArgument(`No geo distance for [${type}]`);
}

function parseRings(body: JsonObject, aggregation: string): readonly Ring[] {
  const given = option(body, 'ranges') ?? [];
  const list = isJsonArray(given) ? given : [given];
  if (list.length === 0)
    throw shardIllegalArgument(`No [ranges] specified for the [${aggregation}] aggregation`);
  const rings = parseField(name, 'ranges', () => list.map(parseRing));
  return rings.toSorted((a, b) => compare(a.from, b.from) || compare(a.to, b.to));
}

/** Not a - b: the difference of infinities is no number. */
const compare = (a: number, b: number): number => Number(a > b) - Number(a < b);

function parseRing(value: JsonValue): Ring {
  if (!isJsonObject(value))
    throw parsingError('Failed to parse object: unexpected token [END_ARRAY] found');
  const unknown = Object.entries(value).find(
    ([key, one]) =>
      !['key', 'from', 'to'].includes(key) ||
      (key === 'key' && typeof one !== 'string') ||
      (typeof one === 'object') !== (one === null) ||
      typeof one === 'boolean',
  );
  if (unknown) throw parsingError(`Failed to parse object: unknown field [${unknown[0]}] found`);
  const [from, to] = [end(value, 'from'), end(value, 'to')];
  const key = option(value, 'key');
  return {
    // a lower end of 0 is none
    key:
      key === undefined ? `${textOf(from === 0 ? undefined : from)}-${textOf(to)}` : stringOf(key),
    from: from ?? 0,
    to: to ?? Infinity,
  };
}

const textOf = (value: number | undefined): string =>
  value === undefined || !Number.isFinite(value) ? '*' : javaDouble(value);

function end(ring: JsonObject, key: string): number | undefined {
  const value = option(ring, key);
  if (typeof value === 'string' && value.trim() === '') throw numberFormatError('empty String');
  return doubleOption(ring, key, name);
}

function conditions(params: DistanceParams, context: AggregationContext): readonly Expr[] {
  const points = geoPoints(params, name, context);
  if (!points) return params.rings.map(() => alwaysFalse);
  const measures = points.each(measureOf(params));
  return params.rings.map((ring) =>
    points.multiValued
      ? call('arrayExists', lambda('d', inRing(column('d'), ring, params)), measures)
      : inRing(measures, ring, params),
  );
}

/** What is compared in place of the distance, because it costs less and grows with it. */
const measureOf =
  ({ origin, isPlane: plane }: DistanceParams) =>
  (point: PointParts): Expr =>
    plane ? squaredPlaneDistance(point, origin) : squaredSine(point, origin);

function inRing(measure: Expr, { from, to }: Ring, { unit, isPlane: plane }: DistanceParams): Expr {
  const bound = (distance: number): Expr =>
    param(plane ? (distance * unit) ** 2 : squaredSineOf(distance * unit), 'Float64');
  const sides = [
    ...(from > 0 ? [binary('>=', measure, bound(from))] : []),
    ...(to === Infinity ? [] : [to > 0 ? binary('<', measure, bound(to)) : alwaysFalse]),
  ];
  return sides.length > 0 ? and(sides) : call('isNotNull', measure);
}

const writeHead = ({ key, from, to }: Ring): JsonObject & { readonly key: string } => ({
  key,
  from,
  ...(Number.isFinite(to) && { to }),
});
