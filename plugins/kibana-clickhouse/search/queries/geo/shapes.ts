import {
  contentParseError,
  failedQuery,
  illegalArgument,
  parseError,
  unsupported,
} from '../../../common/errors/catalogue';
import {
  type JsonObject,
  type JsonValue,
  isJsonArray,
  isJsonObject,
} from '../../../common/json/json';
import { stringOf } from '../../values/field-value';
import { parseDistance } from '../../values/geo-distance';
import type { GeoPoint } from '../../values/geo-point';
import type { GeoBox } from '../../values/geohash';
import type { Polygon, Ring } from './geo-conditions';

/** A shape that points can lie in. */
export type Shape =
  | { readonly kind: 'box'; readonly box: GeoBox }
  | { readonly kind: 'polygon'; readonly polygon: Polygon }
  | { readonly kind: 'circle'; readonly center: GeoPoint; readonly metres: number };

/** More corners than this do not fit a parameter of a statement. */
const maximumCorners = 4000;

/**
 * The shapes of a GeoJSON object: polygon, multipolygon, envelope, circle, geometrycollection (names in any letter case). 400
 * for what is none, and a refusal by name for other types and for WKT.
 */
export function parseShape(value: JsonValue): readonly Shape[] {
  if (typeof value === 'string') throw unsupported('a shape written as WKT');
  if (!isJsonObject(value))
    throw parseError('shape must be an object consisting of type and coordinates');
  const { type } = value;
  if (type === undefined || type === null) throw illegalArgument('Required [type]');
  const name = stringOf(type).toLowerCase();
  const read = readers[name];
  if (read !== undefined) return read(value);
  if (otherTypes.includes(name)) throw unsupported(`shape [${name}] in query [geo_shape]`);
  throw contentParseError('Failed to build [geojson] after last required field arrived', [
    {
      type: 'illegal_argument_exception',
      reason: `No enum constant org.elasticsearch.geometry.ShapeType.${name.toUpperCase()}`,
    },
  ]);
}

const otherTypes: readonly string[] = ['point', 'multipoint', 'linestring', 'multilinestring'];

type ReadShape = (shape: JsonObject) => readonly Shape[];

const readers: Readonly<Record<string, ReadShape>> = {
  polygon: (shape) => [polygonOf(shape['coordinates'], shape)],
  multipolygon: (shape) => list(shape['coordinates']).map((one) => polygonOf(one, shape)),
  envelope: ({ coordinates }) => [envelopeOf(coordinates)],
  bbox: ({ coordinates }) => [envelopeOf(coordinates)],
  circle: ({ coordinates, radius }) => [
    { kind: 'circle', center: pointOf(coordinates), metres: radiusOf(radius) },
  ],
  geometrycollection: ({ geometries }) => list(geometries).flatMap(parseShape),
};

function list(value: JsonValue | undefined): readonly JsonValue[] {
  if (value === undefined || !isJsonArray(value))
    throw illegalArgument('coordinates of a shape must be a list');
  return value;
}

function pointOf(value: JsonValue | undefined): GeoPoint {
  const [lon = NaN, lat = NaN] = list(value).map(coordinateOf);
  if (!(Math.abs(lat) <= 90) || !(Math.abs(lon) <= 180))
    throw illegalArgument('a point of a shape must be [longitude, latitude] in degrees');
  return { lat, lon };
}

function coordinateOf(value: JsonValue): number {
  if (typeof value === 'number' || typeof value === 'bigint') return Number(value);
  throw parseError('geo coordinates must be numbers');
}

function radiusOf(value: JsonValue | undefined): number {
  if (value === undefined) throw illegalArgument('Required [radius] of a circle');
  return parseDistance(stringOf(value));
}

function polygonOf(value: JsonValue | undefined, { orientation }: JsonObject): Shape {
  const [outer, ...holes] = list(value).map((ring): Ring => list(ring).map(pointOf));
  if (outer === undefined || outer.length < 3)
    throw illegalArgument('at least 3 points are needed for a polygon');
  if (distinctCorners(outer) < 3) throw failedQuery('at least 4 polygon points required');
  const corners = [outer, ...holes].reduce((sum, { length }) => sum + length, 0);
  if (corners > maximumCorners)
    throw unsupported(`a polygon of more than ${String(maximumCorners)} corners`);
  const longitudes = outer.map(({ lon }) => lon);
  if (orientation !== undefined && Math.max(...longitudes) - Math.min(...longitudes) > 180)
    throw unsupported('[orientation] of a polygon wider than 180 degrees');
  return { kind: 'polygon', polygon: { outer, holes } };
}

/** Points in a row that are the same are one corner; the last one is the first one again. */
const distinctCorners = (ring: Ring): number =>
  ring.filter(({ lat, lon }, i) => {
    const before = ring[i - 1];
    return before !== undefined && (before.lat !== lat || before.lon !== lon);
  }).length;

/** Upper left and lower right corner. */
function envelopeOf(value: JsonValue | undefined): Shape {
  const [upper, lower] = list(value).map(pointOf);
  if (upper === undefined || lower === undefined)
    throw illegalArgument('an envelope has two corners');
  if (upper.lat < lower.lat)
    throw illegalArgument(
      `max y cannot be less than min y: ${String(upper.lat)} < ${String(lower.lat)}`,
    );
  return {
    kind: 'box',
    box: { top: upper.lat, left: upper.lon, bottom: lower.lat, right: lower.lon },
  };
}
