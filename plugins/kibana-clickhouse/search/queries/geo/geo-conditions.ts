import type { Field } from '../../../clickhouse/catalog/table';
import {
  alwaysTrue,
  and,
  binary,
  call,
  eq,
  integer,
  not,
  or,
  param,
  tuple,
} from '../../../clickhouse/sql/build';
import type { Expr } from '../../../clickhouse/sql/nodes';
import type { GeoBox } from '../../values/geohash';
import type { GeoPoint } from '../../values/geo-point';
import { lastStep, latitudeStep, longitudeStep } from '../../values/geo-steps';
import { anyValue } from '../queried-field';
import { type PointParts, partsOf } from './geo-field';

/** True where a point of the field passes a test. */
export const anyPoint = (field: Field, test: (point: PointParts) => Expr): Expr =>
  anyValue(field, (value) => test(partsOf(field, value)));

const degrees = (value: number): Expr => param(value, 'Float64');

/** Lucene compares steps. From the lower bound's step to the upper bound's, both inclusive; the last step has no end. */
function within(value: Expr, from: number, to: number, step: number): Expr {
  // the lower bound is rounded inwards, the upper one down as points are
  const [first, last] = [Math.ceil(from / step), Math.floor(to / step)];
  return and([
    first <= -(2 ** 31) ? alwaysTrue : binary('>=', value, degrees(first * step)),
    last >= lastStep ? alwaysTrue : binary('<', value, degrees((last + 1) * step)),
  ]);
}

/** True within the sides of a box; one whose left side is east of its right one crosses the date line. */
export function inBox({ lat, lon }: PointParts, { top, left, bottom, right }: GeoBox): Expr {
  const across =
    left > right
      ? or([within(lon, left, 180, longitudeStep), within(lon, -180, right, longitudeStep)])
      : within(lon, left, right, longitudeStep);
  return and([within(lat, bottom, top, latitudeStep), across]);
}

/** Mean radius of the Earth in metres (Lucene 8.11 SloppyMath). */
const earthRadius = 6_371_008.7714;

/** True within a distance in metres on a sphere. */
export const inDistance = (point: PointParts, center: GeoPoint, metres: number): Expr =>
  binary('<=', squaredSine(point, center), degrees(squaredSineOf(metres)));

/** The squared sine of half the angle between two points, which grows with their distance on a sphere: the haversine. */
export function squaredSine({ lat, lon }: PointParts, center: GeoPoint): Expr {
  const halfChord = (a: Expr, b: number): Expr => {
    const sine = call('sin', binary('/', call('radians', binary('-', a, degrees(b))), integer(2)));
    return binary('*', sine, sine);
  };
  const across = binary(
    '*',
    binary('*', call('cos', call('radians', lat)), degrees(Math.cos((center.lat * Math.PI) / 180))),
    halfChord(lon, center.lon),
  );
  return binary('+', halfChord(lat, center.lat), across);
}

/** The same of a distance in metres. Half of the way round is as far as anything can be. */
export const squaredSineOf = (metres: number): number =>
  Math.sin(Math.min(Math.PI / 2, metres / (2 * earthRadius))) ** 2;

/** The squared distance in metres in the plane that touches the Earth between two points (Elasticsearch 7.17 GeoUtils.planeDistance). */
export function squaredPlaneDistance({ lat, lon }: PointParts, center: GeoPoint): Expr {
  const metres = (angle: Expr): Expr => binary('*', call('radians', angle), degrees(earthRadius));
  const middle = binary('/', binary('+', lat, degrees(center.lat)), integer(2));
  const x = binary(
    '*',
    metres(binary('-', lon, degrees(center.lon))),
    call('cos', call('radians', middle)),
  );
  const y = metres(binary('-', lat, degrees(center.lat)));
  return binary('+', binary('*', x, x), binary('*', y, y));
}

/** A ring of points; the last one is the first one again, or is taken to be. */
export type Ring = readonly GeoPoint[];

/** A ring and those of its holes. */
export interface Polygon {
  readonly outer: Ring;
  readonly holes: readonly Ring[];
}

/** True within a polygon, in the plane of longitude and latitude. */
export const inPolygon = (point: PointParts, { outer, holes }: Polygon): Expr =>
  crossesDateLine(outer)
    ? or([
        inRings(point, eastward({ outer, holes })),
        inRings(
          { ...point, lon: binary('+', point.lon, integer(360)) },
          eastward({ outer, holes }),
        ),
      ])
    : inRings(point, { outer, holes });

const inRings = (point: PointParts, { outer, holes }: Polygon): Expr =>
  and([inRing(point, outer), ...holes.map((hole) => not(inRing(point, hole)))]);

function inRing({ lat, lon }: PointParts, ring: Ring): Expr {
  const list = (read: (corner: GeoPoint) => number): Expr =>
    param(ring.map(read), 'Array(Float64)');
  const corners = call(
    'arrayZip',
    list((corner) => corner.lon),
    list((corner) => corner.lat),
  );
  return eq(call('pointInPolygon', tuple([lon, lat]), corners), integer(1));
}

/**
 * A ring wider than half of the Earth that runs clockwise is meant to go the other way round (Elasticsearch 7.17
 * GeoPolygonDecomposer).
 */
function crossesDateLine(ring: Ring): boolean {
  const longitudes = ring.map(({ lon }) => lon);
  const width = Math.max(...longitudes) - Math.min(...longitudes);
  return width > 180 && width !== 360 && signedArea(ring) < 0;
}

const signedArea = (ring: Ring): number =>
  ring.reduce((sum, { lat, lon }, i) => {
    const next = ring[(i + 1) % ring.length] ?? { lat, lon };
    return sum + lon * next.lat - next.lon * lat;
  }, 0);

const eastward = ({ outer, holes }: Polygon): Polygon => {
  const shift = (ring: Ring): Ring =>
    ring.map(({ lat, lon }) => ({ lat, lon: lon < 0 ? lon + 360 : lon }));
  return { outer: shift(outer), holes: holes.map(shift) };
};
