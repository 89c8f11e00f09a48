import { and, binary, call, integer, or, param } from '../../../clickhouse/sql/build';
import type { Expr } from '../../../clickhouse/sql/nodes';
import { illegalArgument } from '../../../common/errors/catalogue';
import { ElasticsearchError } from '../../../common/errors/elasticsearch-error';
import type { JsonValue } from '../../../common/json/json';
import type { PointParts } from '../../queries/geo/geo-field';
import { parseDistance } from '../../values/geo-distance';
import { type GeoBox, geohashLetters, geohashText } from '../../values/geohash';
import type { AggregationType } from '../definition';
import { latitudeStep, longitudeStep } from '../../values/geo-steps';
import { stepOf } from '../../queries/geo/stored-degrees';
import { integerOption } from '../options';
import { cellWhere, geoGrid, type Grid } from './geo-grid';

const name = 'geohash_grid';

const grid: Grid = {
  name,
  parsePrecision,
  cell: ({ lat, lon }, letters, bounds) => {
    const number = cellNumber({ lat, lon }, letters);
    return bounds ? cellWhere(touches({ lat, lon }, letters, bounds), number) : number;
  },
  cells: (letters) => 32 ** letters,
  print: (cell, letters) => geohashText(BigInt.asUintN(64, cell) >> 4n, letters),
};

/**
 * `{"geohash_grid": {"field": "location", "precision": 4}}`: a bucket for each geohash of that many letters with documents, the fullest
 * first (Elasticsearch 7.17 `GeoHashGridAggregationBuilder`); of several points in a document each cell counts once.
 */
export const geohashGrid: AggregationType = {
  name,
  parse: (body, aggregation) => geoGrid(grid, body, aggregation),
};

/** Letters, or a distance that a cell must not be larger than; default 5. */
function parsePrecision(value: JsonValue | undefined): number {
  if (typeof value === 'string' && !/^[+-]?\d+$/.test(value)) return lettersFor(value);
  return checked(integerOption({ precision: value ?? 5 }, 'precision', name) ?? 5);
}

function lettersFor(distance: string): number {
  const letters = geohashLetters(parseDistance(distance));
  try {
    return checked(letters);
  } catch (error) {
    if (!(error instanceof ElasticsearchError)) throw error;
    throw new ElasticsearchError({
      status: 400,
      type: error.type,
      reason: `precision too high [${distance}]`,
      causes: [{ type: error.type, reason: error.message }],
    });
  }
}

function checked(letters: number): number {
  if (letters >= 1 && letters <= 12) return letters;
  throw illegalArgument(
    `Invalid geohash aggregation precision of ${String(letters)}. Must be between 1 and 12.`,
  );
}

/** The number of a step from the south or west, as UInt32. */
const unsignedStep = (degrees: Expr, step: number): Expr =>
  call('toUInt32', binary('+', stepOf(degrees, step), param(2 ** 31, 'Float64')));

/**
 * Elasticsearch's number of the cell (`Geohash.longEncode`): the bits of longitude and latitude in turn, then four for the number
 * of letters. Signed: of 12 letters, cells of the east come before those of the west.
 */
function cellNumber({ lat, lon }: PointParts, letters: number): Expr {
  const bits = call(
    'mortonEncode',
    unsignedStep(lat, latitudeStep),
    unsignedStep(lon, longitudeStep),
  );
  const cell = call('bitShiftRight', bits, integer(64 - 5 * letters));
  return call('toInt64', call('bitOr', call('bitShiftLeft', cell, integer(4)), integer(letters)));
}

/** Whether the cell of a point has a part inside of a box; a shared side is none (Elasticsearch 7.17 `GeoHashBoundedPredicate`). */
function touches({ lat, lon }: PointParts, letters: number, box: GeoBox): Expr {
  const { top, left, bottom, right } = box;
  const longitude = axis(lon, 360, Math.ceil((5 * letters) / 2));
  const latitude = axis(lat, 180, Math.floor((5 * letters) / 2));
  const across = right < left ? or : and;
  return and([
    latitude.endsAbove(bottom),
    latitude.beginsBelow(top),
    across([longitude.endsAbove(left), longitude.beginsBelow(right)]),
  ]);
}

/** Cells along one axis: 2^bits of them over a span of degrees that lies around 0. */
function axis(
  degrees: Expr,
  span: number,
  bits: number,
): Readonly<Record<'beginsBelow' | 'endsAbove', (side: number) => Expr>> {
  const width = span / 2 ** bits;
  const place = call(
    'least',
    call(
      'floor',
      binary('/', binary('+', degrees, param(span / 2, 'Float64')), param(width, 'Float64')),
    ),
    param(2 ** bits - 1, 'Float64'),
  );
  const edge = (cell: Expr): Expr =>
    binary('-', binary('*', cell, param(width, 'Float64')), param(span / 2, 'Float64'));
  return {
    endsAbove: (side) => binary('>', edge(binary('+', place, integer(1))), param(side, 'Float64')),
    beginsBelow: (side) => binary('<', edge(place), param(side, 'Float64')),
  };
}
