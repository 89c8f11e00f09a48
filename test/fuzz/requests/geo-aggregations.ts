import * as fc from 'fast-check';
import type { JsonObject, JsonValue } from '../../../plugins/kibana-clickhouse/common/json/json';
import type { FuzzDocuments } from '../documents/field';
import { options } from './context';

/** Names of the columns with points; an unmapped one where there are none. */
export function pointFields({ columns }: FuzzDocuments): fc.Arbitrary<string> {
  const names = columns.flatMap(({ name, elasticsearch }) =>
    elasticsearch['type'] === 'geo_point' ? [name] : [],
  );
  return names.length > 0 ? fc.constantFrom(...names) : fc.constant('unknown');
}

/** Boxes, one of them across the date line. */
export const boxes = fc.constantFrom<JsonValue>(
  { top_left: '60,-10', bottom_right: '-10,100' },
  { top: 45, left: 0, bottom: -45, right: 90 },
  { top_left: '80,170', bottom_right: '-80,-170' },
);

/** Buckets of points: cells of both grids, rings around an origin. */
export function geoBuckets(documents: FuzzDocuments): fc.Arbitrary<JsonObject> {
  const field = pointFields(documents);
  const grid = (name: string, most: number): fc.Arbitrary<JsonObject> =>
    fc
      .tuple(
        field,
        options({
          precision: fc.integer({ min: 1, max: most }),
          size: fc.constantFrom<JsonValue>(1, 3, 1000),
          bounds: boxes,
        }),
      )
      .map(([name_, rest]) => ({ [name]: { field: name_, ...rest } }));
  const rings = field.map((name) => ({
    geo_distance: {
      field: name,
      origin: '10.1,20.2',
      unit: 'km',
      ranges: [{ to: 2001 }, { from: 2001, to: 7003.5 }, { from: 1007 }],
    },
  }));
  return fc.oneof(grid('geohash_grid', 6), grid('geotile_grid', 12), rings);
}

/** The mean of points. Elasticsearch 7.17 fails on `geo_bounds` in many buckets. */
export const geoMetrics = (documents: FuzzDocuments): fc.Arbitrary<JsonObject> =>
  pointFields(documents).map((field) => ({ geo_centroid: { field } }));
