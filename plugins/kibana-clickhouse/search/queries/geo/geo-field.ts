import type { Field } from '../../../clickhouse/catalog/table';
import { call, param } from '../../../clickhouse/sql/build';
import type { Expr } from '../../../clickhouse/sql/nodes';
import { queryShardError } from '../../../common/errors/catalogue';
import type { QueryContext } from '../definition';
import { queriedField } from '../queried-field';

interface GeoQuery {
  /** The clause's name. */
  readonly clause: string;
  readonly field: string;
  readonly ignoreUnmapped: boolean;
  /** What is said of a name that nothing goes by; default: `failed to find geo field`. */
  readonly unmapped?: string;
}

/**
 * The geo_point field of a clause; undefined where there is none and that is to be ignored. Elasticsearch's errors (7.17,
 * 400) for names that are unmapped and for fields of another type.
 */
export function geoField(
  { clause, field: name, ignoreUnmapped, unmapped = 'failed to find geo field' }: GeoQuery,
  { table }: QueryContext,
): Field | undefined {
  const field = queriedField(table, name);
  if (field === undefined) {
    if (ignoreUnmapped) return undefined;
    throw queryShardError(`${unmapped} [${name}]`);
  }
  if (field.type !== 'geo_point')
    throw queryShardError(
      `Field [${name}] is of unsupported type [${field.type}] for [${clause}] query`,
    );
  return field;
}

/** Degrees of a point, as a Point (x, y) or a Tuple(lat, lon) holds them. */
export interface PointParts {
  readonly lat: Expr;
  readonly lon: Expr;
}

/** Reads latitude and longitude out of a value of the field, as Float64. */
export function partsOf({ valueType }: Field, value: Expr): PointParts {
  const part = (key: string, place: number): Expr => {
    const element = valueType.name === 'Point' ? param(place, 'UInt8') : param(key, 'String');
    return call('toFloat64', call('tupleElement', value, element));
  };
  return { lat: part('lat', 2), lon: part('lon', 1) };
}
