import { param } from '../../../clickhouse/sql/build';
import { illegalArgument } from '../../../common/errors/catalogue';
import type { JsonObject, JsonValue } from '../../../common/json/json';
import { parseField } from '../../request/parse-field';
import { stringOf } from '../../values/field-value';
import { geoPoints, parsePoints } from '../geo/geo-points';
import { checkOptions, option } from '../options';
import {
  commonOptions,
  type CompositeSource,
  parsePlacement,
  partFor,
} from './composite-placement';
import { parseBounds, presentCells } from './geo-grid';
import { parseZoom, printTile, tileNumber } from './geotile-grid';

const type = 'geotile_grid';

/**
 * A source of tiles, whose values are `zoom/x/y` (Elasticsearch 7.17 `GeoTileGridValuesSourceBuilder`). A document counts
 * once for each of its points.
 */
export function tilesSource(name: string, body: JsonObject): CompositeSource {
  checkOptions(type, body, {
    used: [...commonOptions, 'precision', 'bounds'],
    ignored: ['value_type'],
  });
  const placement = parsePlacement(body, type);
  const zoom = parseField(type, 'precision', () => parseZoom(option(body, 'precision')));
  const bounds = parseBounds(option(body, 'bounds'), type);
  const params = parsePoints(body, type);
  return {
    name,
    missingBucket: placement.missingBucket,
    resolve: (context) => {
      const points = geoPoints(params, type, context);
      const cells = points?.each((point) => tileNumber(point, zoom, bounds));
      const tiles = points &&
        cells && {
          expr: points.multiValued ? presentCells(cells) : cells,
          multiValued: points.multiValued,
          repeated: true,
        };
      return {
        ...placement,
        kind: 'integer',
        part: partFor(tiles, 'integer', placement),
        print: (text) => printTile(BigInt(text), zoom),
        read: (value) => param(readTile(value, zoom), 'Int64'),
      };
    },
  };
}

/** A tile's number, told from those of other zooms; a number stands for itself. */
function readTile(value: JsonValue, zoom: number): bigint {
  const zooms = 58n;
  if (typeof value === 'number' || typeof value === 'bigint')
    return BigInt(value) - (BigInt(zoom) << zooms);
  const parts = /^(\d+)\/(\d+)\/(\d+)$/.exec(stringOf(value));
  if (!parts)
    throw illegalArgument(
      `Invalid geotile_grid hash string of ${stringOf(value)}. Must be three integers in a form "zoom/x/y".`,
    );
  const [z = 0n, x = 0n, y = 0n] = parts.slice(1).map(BigInt);
  return ((z - BigInt(zoom)) << zooms) + (x << 29n) + y;
}
