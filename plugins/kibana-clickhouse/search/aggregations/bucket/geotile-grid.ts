import { and, binary, call, integer, or, param } from '../../../clickhouse/sql/build';
import type { Expr } from '../../../clickhouse/sql/nodes';
import { illegalArgument } from '../../../common/errors/catalogue';
import type { JsonValue } from '../../../common/json/json';
import type { PointParts } from '../../queries/geo/geo-field';
import type { GeoBox } from '../../values/geohash';
import type { AggregationType } from '../definition';
import { integerOption } from '../options';
import { cellWhere, geoGrid, type Grid } from './geo-grid';

const name = 'geotile_grid';
const maximumZoom = 29;

const grid: Grid = {
  name,
  parsePrecision: parseZoom,
  cell: tileNumber,
  cells: (zoom) => 4 ** zoom,
  print: (tile, zoom) => printTile(tile, zoom),
};

/**
 * `{"geotile_grid": {"field": "location", "precision": 8}}`: a bucket for each tile of a web map at that zoom with documents, named
 * `zoom/x/y`, the fullest first (Elasticsearch 7.17 `GeoTileGridAggregationBuilder`).
 */
export const geotileGrid: AggregationType = {
  name,
  parse: (body, aggregation) => geoGrid(grid, body, aggregation),
};

/** A zoom from 0 to 29, as a number or text; default 7. Throws Elasticsearch's errors. */
export function parseZoom(value: JsonValue | undefined): number {
  const zoom = integerOption({ precision: value ?? 7 }, 'precision', name) ?? 7;
  if (zoom >= 0 && zoom <= maximumZoom) return zoom;
  throw illegalArgument(
    `Invalid geotile_grid precision of ${String(zoom)}. Must be between 0 and ${String(maximumZoom)}.`,
  );
}

/** Column and row of a tile in one number: a row has 29 bits. */
const rows = 2 ** maximumZoom;

/** The number of the tile of a point, by which Elasticsearch orders tiles of one zoom; NULL outside of `bounds`. */
export function tileNumber({ lat, lon }: PointParts, zoom: number, bounds?: GeoBox): Expr {
  const tiles = 2 ** zoom;
  const [x, y] = [place(columnOf(lon, tiles), tiles), place(rowOf(lat, tiles), tiles)];
  const number = binary('+', binary('*', x, integer(rows)), y);
  return bounds ? cellWhere(within(x, y, { box: bounds, tiles }), number) : number;
}

/** `8/131/84` of a tile's number. */
export const printTile = (tile: bigint, zoom: number): string =>
  [zoom, tile >> 29n, tile & BigInt(rows - 1)].map(String).join('/');

const double = (value: number): Expr => param(value, 'Float64');

/** Whole, and within the map: Elasticsearch moves what lies beyond its edges onto them. */
const place = (value: Expr, tiles: number): Expr =>
  call(
    'toInt64',
    call('greatest', call('least', call('floor', value), double(tiles - 1)), double(0)),
  );

const columnOf = (lon: Expr, tiles: number): Expr =>
  binary('*', binary('/', binary('+', lon, double(180)), double(360)), double(tiles));

/** By Mercator's projection. */
function rowOf(lat: Expr, tiles: number): Expr {
  const sine = call('sin', call('radians', lat));
  const ratio = binary('/', binary('+', double(1), sine), binary('-', double(1), sine));
  const north = binary('/', call('log', ratio), double(4 * Math.PI));
  return binary('*', binary('-', double(0.5), north), double(tiles));
}

/** Whether a tile has a part inside of a box; a shared side is none (Elasticsearch 7.17 `GeoTileBoundedPredicate`). */
function within(
  x: Expr,
  y: Expr,
  { box, tiles }: { readonly box: GeoBox; readonly tiles: number },
): Expr {
  const { top, left, bottom, right } = box;
  const between = (value: Expr, first: number, last: number): Expr =>
    and([binary('>=', value, param(first, 'Int64')), binary('<=', value, param(last, 'Int64'))]);
  const [west, east] = [firstColumn(left, tiles), lastColumn(right, tiles)];
  const columns =
    right < left ? or([between(x, west, tiles - 1), between(x, 0, east)]) : between(x, west, east);
  return and([between(y, firstRow(top, tiles), lastRow(bottom, tiles)), columns]);
}

const clipped = (value: number, tiles: number): number =>
  Math.max(Math.min(Math.floor(value), tiles - 1), 0);

const tileColumn = (lon: number, tiles: number): number =>
  clipped(((lon + 180) / 360) * tiles, tiles);

function tileRow(lat: number, tiles: number): number {
  const sine = Math.sin((lat * Math.PI) / 180);
  const north = Math.log((1 + sine) / (1 - sine)) / (4 * Math.PI);
  return clipped((0.5 - north) * tiles, tiles);
}

const westOf = (column: number, tiles: number): number => (column / tiles) * 360 - 180;

/** Latitude of a tile's upper side. */
const northOf = (row: number, tiles: number): number =>
  (Math.atan(Math.sinh(Math.PI - (2 * Math.PI * row) / tiles)) * 180) / Math.PI;

const firstColumn = (left: number, tiles: number): number => {
  const column = tileColumn(left, tiles);
  return westOf(column + 1, tiles) === left ? column + 1 : column;
};

const lastColumn = (right: number, tiles: number): number => {
  const column = tileColumn(right, tiles);
  return westOf(column, tiles) === right ? column - 1 : column;
};

const firstRow = (top: number, tiles: number): number => {
  const row = tileRow(top, tiles);
  return northOf(row + 1, tiles) === top ? row + 1 : row;
};

const lastRow = (bottom: number, tiles: number): number => {
  const row = tileRow(bottom, tiles);
  return northOf(row, tiles) === bottom ? row - 1 : row;
};
