import * as fc from 'fast-check';
import type { JsonObject, JsonValue } from '../../../plugins/kibana-clickhouse/common/json/json';
import type { FuzzDocuments } from '../documents/field';
import { boxes, pointFields } from './geo-aggregations';

const origins = fc.constantFrom<JsonValue>(
  [21, 52.25],
  { lat: 0, lon: 0 },
  '-89,179',
  'POINT (-180 10)',
  'u3q',
);

const distances = fc.constantFrom<JsonValue>('1km', '250km', '3000km', '20000km', 1e6, '500mi');

const rings = fc.constantFrom<JsonValue>(
  {
    type: 'envelope',
    coordinates: [
      [-20.1, 60.1],
      [100.1, -10.1],
    ],
  },
  {
    type: 'polygon',
    coordinates: [
      [
        [-50.1, -40.1],
        [60.1, -40.1],
        [60.1, 70.1],
        [-50.1, 70.1],
        [-50.1, -40.1],
      ],
    ],
  },
  { type: 'circle', coordinates: [21, 52.25], radius: '2000km' },
);

const relations = fc.constantFrom('intersects', 'within', 'disjoint');

/** Clauses over the points of documents. */
export function geoQueries(documents: FuzzDocuments): fc.Arbitrary<JsonObject> {
  const on = (
    clause: string,
    [field, value]: readonly [fc.Arbitrary<string>, fc.Arbitrary<JsonValue>],
    more: fc.Arbitrary<JsonObject> = fc.constant({}),
  ): fc.Arbitrary<JsonObject> =>
    fc.tuple(field, value, more).map(([name, body, rest]) => ({
      [clause]: { [name]: body, ignore_unmapped: true, ...rest },
    }));
  const field = pointFields(documents);
  return fc.oneof(
    on('geo_bounding_box', [field, boxes]),
    on(
      'geo_distance',
      [field, origins],
      distances.map((distance) => ({ distance })),
    ),
    on('geo_shape', [
      field,
      fc.tuple(rings, relations).map(([shape, relation]) => ({ shape, relation })),
    ]),
  );
}
