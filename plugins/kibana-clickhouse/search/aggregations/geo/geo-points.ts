import type { Field } from '../../../clickhouse/catalog/table';
import { array, call, column, lambda, param } from '../../../clickhouse/sql/build';
import type { Expr } from '../../../clickhouse/sql/nodes';
import { illegalArgument } from '../../../common/errors/catalogue';
import type { JsonObject, JsonValue } from '../../../common/json/json';
import { type PointParts, partsOf } from '../../queries/geo/geo-field';
import { keptDegrees } from '../../queries/geo/stored-degrees';
import { type GeoPoint, parseGeoPoint } from '../../values/geo-point';
import { latitudeStep, longitudeStep } from '../../values/geo-steps';
import { stringOf } from '../../values/field-value';
import { aggregatedField } from '../aggregated-field';
import type { AggregationContext } from '../definition';
import { missingOption } from '../missing-value';
import { textOption } from '../options';
import { onShard } from '../plain-error';

/** What an aggregation of points reads, as the request says. */
export interface PointOptions {
  readonly field: string;
  /** Stands for the point of a document that has none: text in one of the forms of a point. */
  readonly missing?: JsonValue;
}

/** Reads `field` and `missing`. Throws Elasticsearch's errors; `required` are the names that it says one of which must be there. */
export function parsePoints(body: JsonObject, type: string, required = 'field'): PointOptions {
  const field = textOption(body, 'field', type);
  if (field === undefined)
    throw illegalArgument(`Required one of fields [${required}], but none were specified. `);
  const missing = missingOption(body, type);
  return { field, ...(missing !== undefined && { missing }) };
}

/** The points of a row. */
export interface GeoPoints {
  readonly multiValued: boolean;
  /**
   * What `apply` makes of the row's point, NULL where there is none; of several points the array. The degrees that it gets are
   * those that Elasticsearch keeps.
   */
  each(apply: (point: PointParts) => Expr): Expr;
}

/** The points of a field, `missing` in place of none; undefined for an unmapped field without it. Throws for fields of other types. */
export function geoPoints(
  { field: name, missing }: PointOptions,
  aggregation: string,
  context: AggregationContext,
): GeoPoints | undefined {
  const field = aggregatedField(name, ['geo_point'], aggregation, context);
  const substitute =
    missing === undefined ? undefined : onShard(() => parseGeoPoint(stringOf(missing)));
  if (field) return pointsOf(field, substitute && constant(substitute));
  return substitute && { multiValued: false, each: (apply) => apply(constant(substitute)) };
}

const constant = ({ lat, lon }: GeoPoint): PointParts => ({
  lat: param(lat, 'Float64'),
  lon: param(lon, 'Float64'),
});

function pointsOf(field: Field, substitute: PointParts | undefined): GeoPoints {
  const { expr, multiValued } = field;
  if (!multiValued)
    return {
      multiValued,
      each: (apply) => {
        const value = apply(stored(partsOf(field, expr)));
        return substitute ? call('ifNull', value, apply(substitute)) : value;
      },
    };
  return {
    multiValued,
    each: (apply) => {
      const values = call(
        'arrayMap',
        lambda('x', apply(stored(partsOf(field, column('x'))))),
        expr,
      );
      if (!substitute) return values;
      return call('if', call('empty', expr), array([apply(substitute)]), values);
    },
  };
}

/** Elasticsearch keeps the lower edge of the step of 32 bits. */
const stored = ({ lat, lon }: PointParts): PointParts => ({
  lat: keptDegrees(lat, latitudeStep),
  lon: keptDegrees(lon, longitudeStep),
});
