import { alwaysFalse } from '../../../clickhouse/sql/build';
import {
  failedQuery,
  illegalArgument,
  parsingError,
  unsupported,
} from '../../../common/errors/catalogue';
import { type JsonValue, isJsonArray, isJsonObject } from '../../../common/json/json';
import { stringOf } from '../../values/field-value';
import { metresIn, parseDistance } from '../../values/geo-distance';
import { type GeoPoint, parseGeoPoint } from '../../values/geo-point';
import { defineClause } from '../definition';
import { booleanOption, checkCommonOption, clauseObject, finiteNumber } from '../options';
import { anyPoint, inDistance } from './geo-conditions';
import { geoField } from './geo-field';
import {
  type ValidationMethod,
  normalPoint,
  parseValidationMethod,
  requireValid,
} from './validation';

interface DistanceParams {
  readonly field: string;
  readonly center: GeoPoint;
  readonly metres: number;
  readonly method: ValidationMethod;
  readonly ignoreUnmapped: boolean;
}

/** `{"geo_distance": {"distance": "30km", "location": [21, 52]}}`, on a sphere. */
export const geoDistance = defineClause<DistanceParams>({
  name: 'geo_distance',
  parse(body) {
    const draft: Draft = {};
    for (const [key, value] of Object.entries(clauseObject('geo_distance', body)))
      readKey(draft, key, value);
    const { field, center, distance, unit = 'm', method = 'STRICT', ignoreUnmapped } = draft;
    if (distance === undefined)
      throw parsingError("geo_distance requires 'distance' to be specified");
    const metres =
      typeof distance === 'number' ? distance * metresIn(unit) : parseDistance(distance, unit);
    if (field === undefined || center === undefined)
      throw illegalArgument('fieldName must not be null or empty');
    if (metres <= 0) throw illegalArgument('distance must be greater than zero');
    if (metres === Infinity) throw failedQuery("radiusMeters: 'Infinity' is invalid");
    return { field, center, metres, method, ignoreUnmapped: ignoreUnmapped ?? false };
  },
  toCondition(params, context) {
    const field = geoField({ ...params, clause: 'geo_distance' }, context);
    if (field === undefined) return alwaysFalse;
    const { center, metres, method } = params;
    const parts = [
      { name: 'center point latitude', degrees: center.lat },
      { name: 'center point longitude', degrees: center.lon },
    ];
    requireValid('geo_distance', parts, method);
    const from = method === 'COERCE' ? normalPoint(center) : center;
    return anyPoint(field, (point) => inDistance(point, from, metres));
  },
});

interface Draft {
  field?: string;
  center?: GeoPoint;
  distance?: number | string;
  unit?: string;
  method?: ValidationMethod;
  ignoreUnmapped?: boolean;
}

type ReadKey = (draft: Draft, value: JsonValue, key: string) => void;

const options: Readonly<Record<string, ReadKey>> = {
  distance: (draft, value) => {
    if (value !== null) draft.distance = typeof value === 'number' ? value : stringOf(value);
  },
  unit: (draft, value) => {
    metresIn(stringOf(value));
    draft.unit = stringOf(value);
  },
  distance_type: (_draft, value) => {
    const type = stringOf(value).toLowerCase();
    if (type === 'plane') throw unsupported('[distance_type] [plane] of query [geo_distance]');
    if (type !== 'arc') throw illegalArgument(`No geo distance for [${stringOf(value)}]`);
  },
  validation_method: (draft, value) => {
    draft.method = parseValidationMethod(value);
  },
  ignore_unmapped: (draft, value, key) => {
    draft.ignoreUnmapped = booleanOption(key, value);
  },
  boost: (_draft, value, key) => {
    checkCommonOption(key, value);
  },
  _name: (_draft, value, key) => {
    checkCommonOption(key, value);
  },
};

function readKey(draft: Draft, key: string, value: JsonValue): void {
  const option = options[key];
  const part = /^(.+)\.(lat|lon)$/.exec(key);
  if (option !== undefined) option(draft, value, key);
  else if (isJsonArray(value) || isJsonObject(value)) setPoint(draft, key, parseGeoPoint(value));
  else if (part !== null) {
    const degrees = finiteNumber(key, value);
    const known = draft.center ?? { lat: 0, lon: 0 };
    setPoint(draft, part[1] ?? '', { ...known, [part[2] ?? '']: degrees });
  } else if (typeof value === 'string' && draft.field === undefined)
    setPoint(draft, key, parseGeoPoint(value));
  else if (value !== null)
    throw parsingError(`failed to parse [geo_distance] query. unexpected field [${key}]`);
}

function setPoint(draft: Draft, field: string, center: GeoPoint): void {
  draft.field = field;
  draft.center = center;
}
