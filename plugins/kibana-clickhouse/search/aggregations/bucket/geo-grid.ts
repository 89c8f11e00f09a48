import { call, column, lambda, param } from '../../../clickhouse/sql/build';
import type { Expr } from '../../../clickhouse/sql/nodes';
import { illegalArgument } from '../../../common/errors/catalogue';
import { isJsonObject, type JsonObject, type JsonValue } from '../../../common/json/json';
import { readBox } from '../../queries/geo/corners';
import type { PointParts } from '../../queries/geo/geo-field';
import { parseField } from '../../request/parse-field';
import type { GeoBox } from '../../values/geohash';
import type { AggregationContext, BucketNode } from '../definition';
import { geoPoints, parsePoints } from '../geo/geo-points';
import { checkOptions, integerOption, option, wrongType } from '../options';

/** How one of Elasticsearch's grids divides the Earth. */
export interface Grid {
  readonly name: 'geohash_grid' | 'geotile_grid';
  /** The option `precision`. Throws Elasticsearch's errors. */
  parsePrecision(value: JsonValue | undefined): number;
  /** The number of a point's cell (Int64), by which Elasticsearch orders cells; NULL outside of `bounds`. */
  cell(point: PointParts, precision: number, bounds: GeoBox | undefined): Expr;
  /** How many cells there are. */
  cells(precision: number): number;
  print(cell: bigint, precision: number): string;
}

const defaultSize = 10_000;

/** Makes a grid's aggregation: a bucket for each cell with points, the first `size` by count, ties by the cell's number downwards. */
export function geoGrid(grid: Grid, body: JsonObject, aggregation: string): BucketNode {
  const { name } = grid;
  checkOptions(name, body, {
    used: ['field', 'missing', 'precision', 'size', 'shard_size', 'bounds'],
    ignored: ['value_type'],
  });
  const size = sizeOption(body, 'size', { type: name, aggregation, spoken: 'size' });
  // how many cells shards gather: exact answers do not depend on it
  sizeOption(body, 'shard_size', { type: name, aggregation, spoken: 'shardSize' });
  const given = option(body, 'precision');
  if (typeof given === 'boolean' || typeof given === 'object')
    throw wrongType(name, 'precision', given);
  const precision = parseField(name, 'precision', () => grid.parsePrecision(given));
  const bounds = parseBounds(option(body, 'bounds'), name);
  const params = { ...parsePoints(body, name), size: size ?? defaultSize, precision, bounds };
  return {
    family: 'bucket',
    type: name,
    params,
    level: (context: AggregationContext) => {
      const points = geoPoints(params, name, context);
      if (!points) return undefined;
      const cells = points.each((point) => grid.cell(point, precision, bounds));
      return {
        key: points.multiValued ? call('arrayDistinct', presentCells(cells)) : cells,
        keys: points.multiValued ? 'expanded' : 'single',
        manyKeys: grid.cells(precision) > manyCells,
        order: [
          { by: 'count', direction: 'DESC' },
          { by: 'key', direction: 'DESC' },
        ],
        limit: params.size,
        minDocCount: 1,
      };
    },
    assemble: ({ buckets }) => ({
      buckets: buckets.map(({ key, docCount, subs }) => ({
        key: grid.print(BigInt(typeof key === 'string' ? key : Number(key)), precision),
        doc_count: docCount,
        ...subs,
      })),
    }),
  };
}

const manyCells = 100_000;

/** The cells of a row without those outside of the bounds. */
export const presentCells = (cells: Expr): Expr =>
  call('arrayFilter', lambda('cell', call('isNotNull', column('cell'))), cells);

function sizeOption(
  body: JsonObject,
  key: string,
  { type, aggregation, spoken }: Readonly<Record<'aggregation' | 'spoken' | 'type', string>>,
): number | undefined {
  return parseField(type, key, () => {
    const size = integerOption(body, key, type);
    if (size === undefined || size > 0) return size;
    throw illegalArgument(
      `[${spoken}] must be greater than 0. Found [${String(size)}] in [${aggregation}]`,
    );
  });
}

/** The option `bounds`, a box; one without any side is none. Throws Elasticsearch's errors. */
export function parseBounds(value: JsonValue | undefined, type: string): GeoBox | undefined {
  if (value === undefined) return undefined;
  if (!isJsonObject(value)) throw wrongType(type, 'bounds', value);
  const box = parseField(type, 'bounds', () => readBox(value));
  return Object.values(box).every((side) => Number.isNaN(side)) ? undefined : box;
}

/** A cell's number where a condition holds, else NULL. */
export const cellWhere = (condition: Expr, cell: Expr): Expr =>
  call('if', condition, cell, param(null, 'Nullable(Nothing)'));
