import { illegalArgument, parseError } from '../../../common/errors/catalogue';
import { ElasticsearchError } from '../../../common/errors/elasticsearch-error';
import type { JsonObject, JsonValue } from '../../../common/json/json';
import { type GeoPoint, parseGeoPoint } from '../../values/geo-point';
import { type GeoBox, geohashCell } from '../../values/geohash';
import { javaDouble } from '../../values/java-double';

type Side = keyof GeoBox;
type Sides = Record<Side, number>;

const corners: Readonly<Record<string, readonly ['bottom' | 'top', 'left' | 'right']>> = {
  top_left: ['top', 'left'],
  topLeft: ['top', 'left'],
  bottom_right: ['bottom', 'right'],
  bottomRight: ['bottom', 'right'],
  top_right: ['top', 'right'],
  topRight: ['top', 'right'],
  bottom_left: ['bottom', 'left'],
  bottomLeft: ['bottom', 'left'],
};

const sideNames: readonly string[] = ['top', 'left', 'bottom', 'right'];

/**
 * A box in each of Elasticsearch's forms (7.17 GeoBoundingBox): two opposite corners, four sides, or `BBOX (…)` of WKT. Throws
 * its errors for a box without a side, without height, and with its top below its bottom.
 */
export function parseBox(value: JsonObject): GeoBox {
  const box = reworded(() => readBox(value));
  for (const [side, degrees] of [
    ['top', box.top],
    ['left', box.left],
    ['bottom', box.bottom],
    ['right', box.right],
  ] as const) {
    const axis = side === 'top' || side === 'bottom' ? 'latitude' : 'longitude';
    if (!Number.isFinite(degrees))
      throw illegalArgument(`${side} ${axis} is invalid: ${javaDouble(degrees)}`);
  }
  if (box.top < box.bottom)
    throw illegalArgument(
      `top is below bottom corner: ${javaDouble(box.top)} vs. ${javaDouble(box.bottom)}`,
    );
  if (box.top === box.bottom)
    throw illegalArgument(
      `top cannot be the same as bottom: ${javaDouble(box.top)} == ${javaDouble(box.bottom)}`,
    );
  if (box.left === box.right)
    throw illegalArgument(
      `left cannot be the same as right: ${javaDouble(box.left)} == ${javaDouble(box.right)}`,
    );
  return box;
}

function reworded(read: () => GeoBox): GeoBox {
  try {
    return read();
  } catch (error) {
    if (error instanceof ElasticsearchError && error.type === 'parse_exception')
      throw parseError(`failed to parse [geo_bounding_box] query. [${error.message}]`);
    throw error;
  }
}

/** The same without checks: NaN for a side that is not given (Elasticsearch 7.17 GeoBoundingBox.parseBoundingBox). */
export function readBox(value: JsonObject): GeoBox {
  const sides: Sides = { top: NaN, left: NaN, bottom: NaN, right: NaN };
  for (const [key, given] of Object.entries(value)) {
    if (key === 'wkt') return onlyWkt(value, given);
    const corner = corners[key];
    if (corner !== undefined) readCorner(sides, corner, given);
    else if (sideNames.includes(key)) sides[key as Side] = degreesOf(given);
    else throw parseError(`failed to parse bounding box. unexpected field [${key}]`);
  }
  return sides;
}

function readCorner(
  sides: Sides,
  [vertical, horizontal]: readonly ['bottom' | 'top', 'left' | 'right'],
  given: JsonValue,
): void {
  const isGeohash = typeof given === 'string' && !given.includes(',') && !/^\s*POINT/i.test(given);
  const cell: GeoPoint | GeoBox = isGeohash ? geohashCell(given) : parseGeoPoint(given);
  sides[vertical] = 'lat' in cell ? cell.lat : cell[vertical];
  sides[horizontal] = 'lon' in cell ? cell.lon : cell[horizontal];
}

function degreesOf(given: JsonValue): number {
  if (given === '') throw parseError('empty String');
  const number = typeof given === 'object' || typeof given === 'boolean' ? NaN : Number(given);
  if (Number.isNaN(number))
    throw parseError(
      `For input string: "${typeof given === 'string' ? given : JSON.stringify(given)}"`,
    );
  return number;
}

const number = String.raw`\s*([-+]?(?:\d+\.?\d*|\.\d+)(?:[eE][-+]?\d+)?)\s*`;
const bbox = new RegExp(
  String.raw`^\s*BBOX\s*\(${number},${number},${number},${number}\)\s*$`,
  'i',
);

/** Nothing else may stand beside it. */
function onlyWkt(value: JsonObject, given: JsonValue): GeoBox {
  const other = Object.keys(value).find((key) => key !== 'wkt');
  if (other !== undefined)
    throw parseError(`failed to parse bounding box. unexpected field [${other}]`);
  return parseWkt(given);
}

/** `BBOX (left, right, top, bottom)`. */
function parseWkt(given: JsonValue): GeoBox {
  const match = typeof given === 'string' ? bbox.exec(given) : null;
  if (match === null) throw parseError('failed to parse WKT bounding box');
  const [left = NaN, right = NaN, top = NaN, bottom = NaN] = match.slice(1).map(Number);
  return { top, left, bottom, right };
}
