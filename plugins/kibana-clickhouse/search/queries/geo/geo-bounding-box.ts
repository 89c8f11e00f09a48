import { alwaysFalse } from '../../../clickhouse/sql/build';
import {
  failedQuery,
  illegalArgument,
  parseError,
  parsingError,
} from '../../../common/errors/catalogue';
import { type JsonValue, isJsonObject } from '../../../common/json/json';
import { stringOf } from '../../values/field-value';
import type { GeoBox } from '../../values/geohash';
import { javaDouble } from '../../values/java-double';
import { defineClause } from '../definition';
import { booleanOption, checkCommonOption, clauseObject } from '../options';
import { parseBox } from './corners';
import { anyPoint, inBox } from './geo-conditions';
import { geoField } from './geo-field';
import {
  type ValidationMethod,
  normalPoint,
  parseValidationMethod,
  requireValid,
} from './validation';

interface BoundingBoxParams {
  readonly field: string;
  readonly box: GeoBox;
  readonly method: ValidationMethod;
  readonly ignoreUnmapped: boolean;
}

/** `{"geo_bounding_box": {"location": {"top_left": …, "bottom_right": …}}}`, borders included. */
export const geoBoundingBox = defineClause<BoundingBoxParams>({
  name: 'geo_bounding_box',
  parse(body) {
    let found: Pick<BoundingBoxParams, 'box' | 'field'> | undefined;
    let method: ValidationMethod = 'STRICT';
    let ignoreUnmapped = false;
    for (const [key, value] of Object.entries(clauseObject('geo_bounding_box', body))) {
      if (isJsonObject(value)) found = { field: key, box: parseBox(value) };
      else if (key === 'boost' || key === '_name') checkCommonOption(key, value);
      else if (key === 'validation_method') method = parseValidationMethod(value);
      else if (key === 'ignore_unmapped') ignoreUnmapped = booleanOption(key, value);
      else if (key === 'type') checkExecution(value);
      else
        throw parsingError(`failed to parse [geo_bounding_box] query. unexpected field [${key}]`);
    }
    if (found === undefined)
      throw parseError('failed to parse [geo_bounding_box] query. bounding box not provided');
    return { ...found, method, ignoreUnmapped };
  },
  toCondition(params, context) {
    const field = geoField({ ...params, clause: 'geo_bounding_box' }, context);
    if (field === undefined) return alwaysFalse;
    const box = checkedBox(params);
    return anyPoint(field, (point) => inBox(point, box));
  },
});

/** How it is executed changes no answer. */
function checkExecution(value: JsonValue): void {
  const name = stringOf(value);
  if (!['memory', 'indexed'].includes(name))
    throw illegalArgument(`no type can be parsed from ordinal ${name}`);
}

function checkedBox({ box, method }: BoundingBoxParams): GeoBox {
  if (method === 'COERCE') return coerced(box);
  const { top, left, bottom, right } = box;
  const parts = [
    { name: 'top latitude', degrees: top },
    { name: 'left longitude', degrees: left },
    { name: 'bottom latitude', degrees: bottom },
    { name: 'right longitude', degrees: right },
  ];
  requireValid('geo_bounding_box', parts, method);
  const outside = (degrees: number, axis: string, limit: number): Error =>
    failedQuery(
      `invalid ${axis} ${javaDouble(degrees)}; must be between -${javaDouble(limit)} and ${javaDouble(limit)}`,
    );
  for (const lat of [bottom, top]) if (Math.abs(lat) > 90) throw outside(lat, 'latitude', 90);
  for (const lon of [left, right]) if (Math.abs(lon) > 180) throw outside(lon, 'longitude', 180);
  return box;
}

/** Brought to the Earth; a box of whole turns has all longitudes. */
function coerced({ top, left, bottom, right }: GeoBox): GeoBox {
  const isWhole = (right - left) % 360 === 0 && right > left;
  const upper = normalPoint({ lat: top, lon: isWhole ? 0 : left });
  const lower = normalPoint({ lat: bottom, lon: isWhole ? 0 : right });
  return {
    top: upper.lat,
    bottom: lower.lat,
    left: isWhole ? -180 : upper.lon,
    right: isWhole ? 180 : lower.lon,
  };
}
