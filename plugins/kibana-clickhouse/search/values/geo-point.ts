import { parseError } from '../../common/errors/catalogue';
import { type JsonObject, type JsonValue, isJsonArray, isJsonObject } from '../../common/json/json';
import { geohashCell } from './geohash';

/** A point in degrees. */
export interface GeoPoint {
  readonly lat: number;
  readonly lon: number;
}

const number = String.raw`[-+]?(?:\d+\.?\d*|\.\d+)(?:[eE][-+]?\d+)?`;
const wktPoint = new RegExp(String.raw`^\s*POINT\s*\(\s*(${number})\s+(${number})\s*\)\s*$`, 'i');

/**
 * Reads a point in each of Elasticsearch's forms (7.17 GeoUtils.parseGeoPoint): `{lat, lon}`, `[lon, lat]`, `"lat,lon"`,
 * `"POINT (lon lat)"`, a geohash (its lower left corner's cell centre). NaN where a list is too short.
 */
export function parseGeoPoint(value: JsonValue): GeoPoint {
  if (isJsonObject(value)) return fromObject(value);
  if (isJsonArray(value)) return fromList(value);
  if (typeof value === 'string') return fromText(value);
  throw parseError('geo_point expected');
}

function fromObject(value: JsonObject): GeoPoint {
  const unknown = Object.keys(value).find((key) => key !== 'lat' && key !== 'lon');
  if (unknown !== undefined) throw parseError('field must be either [lat], [lon] or [geohash]');
  const { lat, lon } = value;
  if (lat === undefined) throw parseError('field [lat] missing');
  if (lon === undefined) throw parseError('field [lon] missing');
  return { lat: degrees(lat, 'latitude'), lon: degrees(lon, 'longitude') };
}

function fromList(value: readonly JsonValue[]): GeoPoint {
  const [lon = NaN, lat = NaN, , ...more] = value;
  if (more.length > 0) throw parseError('[geo_point] field type does not accept > 3 dimensions');
  return { lat: listed(lat), lon: listed(lon) };
}

function listed(value: JsonValue): number {
  if (typeof value === 'number' || typeof value === 'bigint') return Number(value);
  throw parseError('numeric value expected');
}

function degrees(value: JsonValue, name: string): number {
  if (typeof value === 'number' || typeof value === 'bigint') return Number(value);
  if (typeof value === 'string' && new RegExp(`^\\s*${number}\\s*$`).test(value))
    return Number(value);
  throw parseError(`[${name}] must be a valid double value`);
}

function fromText(text: string): GeoPoint {
  const wkt = wktPoint.exec(text);
  if (wkt) return { lon: Number(wkt[1]), lat: Number(wkt[2]) };
  if (!text.includes(',')) return centreOf(text);
  const [lat = '', lon = '', ...more] = text.split(',');
  if (more.length > 1)
    throw parseError(
      `failed to parse [${text}], expected 2 or 3 coordinates but found: [${String(more.length + 2)}]`,
    );
  return { lat: degrees(lat.trim(), 'latitude'), lon: degrees(lon.trim(), 'longitude') };
}

function centreOf(geohash: string): GeoPoint {
  const { top, bottom, left, right } = geohashCell(geohash);
  return { lat: (top + bottom) / 2, lon: (left + right) / 2 };
}
