import { aggregate, binary } from '../../../clickhouse/sql/build';
import type { Expr } from '../../../clickhouse/sql/nodes';
import type { AggregationContext, AggregationType } from '../definition';
import { type GeoPoints, geoPoints, parsePoints } from '../geo/geo-points';
import { checkOptions } from '../options';
import { finiteCell } from '../value-text';

const name = 'geo_centroid';

/**
 * `{"geo_centroid": {"field": "location"}}`: mean latitude, mean longitude and number of all points (Elasticsearch 7.17
 * `GeoCentroidAggregator`); without points the number alone.
 */
export const geoCentroid: AggregationType = {
  name,
  parse(body) {
    checkOptions(name, body, { used: ['field', 'missing'], ignored: ['value_type'] });
    const params = parsePoints(body, name);
    return {
      family: 'metric',
      type: name,
      params,
      scaling: ['value', 'value', 'count'],
      columns: (context: AggregationContext) => {
        const points = geoPoints(params, name, context);
        return points ? columnsOf(points) : [];
      },
      assemble: ([latCell, lonCell, count]) => {
        const [lat, lon] = [finiteCell(latCell), finiteCell(lonCell)];
        if (lat === null || lon === null) return { count: 0 };
        return { location: { lat, lon }, count: Number(count) };
      },
      empty: () => ({ count: 0 }),
      orderColumn: () => undefined,
    };
  },
};

function columnsOf(points: GeoPoints): readonly Expr[] {
  const over = (fn: string, values: Expr): Expr =>
    aggregate(points.multiValued ? `${fn}Array` : fn, values);
  const latitudes = points.each(({ lat }) => lat);
  const longitudes = points.each(({ lon }) => lon);
  const mean = (values: Expr): Expr =>
    binary('/', over('sumKahanOrNull', values), over('count', values));
  return [mean(latitudes), mean(longitudes), over('count', latitudes)];
}
