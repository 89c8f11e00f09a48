import {
  aggregate,
  call,
  column,
  integer,
  lambda,
  binary,
  param,
} from '../../../clickhouse/sql/build';
import type { Expr } from '../../../clickhouse/sql/nodes';
import type { JsonObject } from '../../../common/json/json';
import type { PointParts } from '../../queries/geo/geo-field';
import { parseField } from '../../request/parse-field';
import type { AggregationContext, AggregationType } from '../definition';
import { type GeoPoints, geoPoints, parsePoints } from '../geo/geo-points';
import { booleanOption, checkOptions } from '../options';
import { finiteCell } from '../value-text';

const name = 'geo_bounds';

/**
 * `{"geo_bounds": {"field": "location", "wrap_longitude": true}}`: the smallest box around all points; with `wrap_longitude` (default) one
 * across the date line where that is narrower; `{}` without points (Elasticsearch 7.17 `InternalGeoBounds`).
 */
export const geoBounds: AggregationType = {
  name,
  parse(body) {
    checkOptions(name, body, {
      used: ['field', 'missing', 'wrap_longitude'],
      ignored: ['value_type'],
    });
    const wrap = parseField(name, 'wrap_longitude', () =>
      booleanOption(body, 'wrap_longitude', name),
    );
    const params = { ...parsePoints(body, name), wrap: wrap ?? true };
    return {
      family: 'metric',
      type: name,
      params,
      scaling: 'value',
      columns: (context: AggregationContext) => {
        const points = geoPoints(params, name, context);
        return points ? columnsOf(points) : [];
      },
      assemble: (cells) => writeBounds(cells.map(finiteCell), params.wrap),
      empty: () => ({}),
      orderColumn: () => undefined,
    };
  },
};

type Part = (point: PointParts) => Expr;
const latitude: Part = ({ lat }) => lat;
const longitude: Part = ({ lon }) => lon;

/** Lowest and highest latitude; leftmost and rightmost longitude of the east, then of the west. */
function columnsOf(points: GeoPoints): readonly Expr[] {
  const zero = integer(0);
  const east = half(points, (lon) => binary('>=', lon, zero));
  const west = half(points, (lon) => binary('<', lon, zero));
  return [points.each(latitude), east, west].flatMap((values) =>
    ['minOrNull', 'maxOrNull'].map((fn) =>
      aggregate(points.multiValued ? `${fn}Array` : fn, values),
    ),
  );
}

/** The longitudes that pass a test. */
function half(points: GeoPoints, test: (lon: Expr) => Expr): Expr {
  const longitudes = points.each(longitude);
  return points.multiValued
    ? call('arrayFilter', lambda('lon', test(column('lon'))), longitudes)
    : call('if', test(longitudes), longitudes, param(null, 'Nullable(Nothing)'));
}

function writeBounds(cells: readonly (number | null)[], wrap: boolean): JsonObject {
  const [bottom, top, eastLeft, eastRight, westLeft, westRight] = cells;
  if (top === null || top === undefined) return {};
  const sides = sidesOf([eastLeft, eastRight], [westLeft, westRight], wrap);
  return {
    bounds: {
      top_left: { lat: top, lon: sides[0] ?? 0 },
      bottom_right: { lat: bottom ?? top, lon: sides[1] ?? 0 },
    },
  };
}

type Ends = readonly [number | null | undefined, number | null | undefined];

/** Left and right side. */
function sidesOf(east: Ends, west: Ends, wrap: boolean): Ends {
  const [eastLeft, eastRight] = east;
  const [westLeft, westRight] = west;
  if (typeof eastLeft !== 'number' || typeof eastRight !== 'number') return west;
  if (typeof westLeft !== 'number' || typeof westRight !== 'number') return east;
  const width = eastRight - westLeft;
  const acrossDateLine = 180 - eastLeft - (-180 - westRight);
  return wrap && width > acrossDateLine ? [eastLeft, westRight] : [westLeft, eastRight];
}
