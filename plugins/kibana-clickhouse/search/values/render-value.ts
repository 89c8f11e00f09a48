import type { Field, FieldType } from '../../clickhouse/catalog/table';
import type { Cell } from '../../clickhouse/execution/executor';
import type { JsonValue } from '../../common/json/json';
import { type Instant, daysSinceEpoch, fromEpochNanos } from './calendar';
import type { DateFormat } from './date-format';
import { formatOf } from './date-bound';
import { parseIp, printIp } from './ip-value';
import type { TimeZone } from './time-zone';

export interface RenderOptions {
  /** For dates; default: the field's own format. */
  readonly format?: DateFormat;
  /** In which dates are printed; default UTC. */
  readonly zone?: TimeZone;
  /** Doc values show a float as the double nearest to it (1.1 is 1.100000023841858). */
  readonly docValues?: boolean;
}

/**
 * The values of a cell of `field.expr` as Elasticsearch prints them in `fields`: none for NULL, else
 * one or those of the array. 64-bit integers come from ClickHouse as strings and leave as bigint when
 * a double cannot hold them, so that they stay exact.
 */
export function renderValues(
  field: Field,
  cell: Cell,
  options: RenderOptions = {},
): readonly JsonValue[] {
  const cells = field.multiValued && Array.isArray(cell) ? (cell as readonly Cell[]) : [cell];
  return cells.flatMap((item) => {
    const value = renderValue(field, item, options);
    return value === null ? [] : [value];
  });
}

/** One value; null for NULL, and for NaN, which Elasticsearch cannot hold. */
export const renderValue = (field: Field, cell: Cell, options: RenderOptions = {}): JsonValue =>
  cell === null ? null : renderers[field.type](field, cell, options);

type Renderer = (field: Field, cell: Cell, options: RenderOptions) => JsonValue;

const renderDate: Renderer = (field, cell, { format, zone }) => {
  const instant = cellInstant(field, cell);
  return instant && (format ?? formatOf(field)).print(instant, zone);
};

const renderText: Renderer = (_field, cell) =>
  typeof cell === 'object' ? JSON.stringify(cell) : String(cell);

const renderNumber: Renderer = (field, cell, options) => {
  if (typeof cell === 'string' && /^-?\d+$/.test(cell)) {
    const value = Number(cell);
    return Number.isSafeInteger(value) ? value : BigInt(cell);
  }
  const value = Number(cell);
  if (Number.isNaN(value)) return null;
  return field.type === 'float' && options.docValues === true ? Math.fround(value) : value;
};

const renderPoint: Renderer = (_field, cell) => {
  const [lon, lat] = Array.isArray(cell)
    ? (cell as readonly Cell[])
    : [pointPart(cell, 'lon'), pointPart(cell, 'lat')];
  return { coordinates: [Number(lon), Number(lat)], type: 'Point' };
};

const renderers: Readonly<Record<FieldType, Renderer>> = {
  boolean: (_field, cell) => cell === true || cell === 1 || cell === 'true',
  byte: renderNumber,
  date: renderDate,
  date_nanos: renderDate,
  double: renderNumber,
  float: renderNumber,
  geo_point: renderPoint,
  integer: renderNumber,
  ip: (_field, cell) => (typeof cell === 'string' ? printIp(parseIp(cell)) : null),
  keyword: renderText,
  long: renderNumber,
  object: (_field, cell) => cell,
  short: renderNumber,
  text: renderText,
  unsigned_long: renderNumber,
};

const pointPart = (cell: Cell, name: string): Cell =>
  typeof cell === 'object' && cell !== null && !Array.isArray(cell)
    ? ((cell as Readonly<Record<string, Cell>>)[name] ?? null)
    : null;

const nanosOfUnit = { s: 1_000_000_000n, ms: 1_000_000n, us: 1000n, ns: 1n } as const;

/**
 * The moment that a cell of a date field means; null for NULL. Cells are what ClickHouse prints with
 * `date_time_output_format=iso`: `2024-01-01T00:00:00.123Z`, `2024-01-01`, or the integer of an epoch.
 */
export function cellInstant(field: Field, cell: Cell): Instant | null {
  if (typeof cell !== 'string' && typeof cell !== 'number') return null;
  if (field.time?.kind === 'epoch')
    return fromEpochNanos(BigInt(cell) * nanosOfUnit[field.time.unit]);
  const match = isoPattern.exec(String(cell));
  if (match === null) return null;
  const part = (i: number): number => Number(match[i] ?? 0);
  const nano = Number((match[7] ?? '').padEnd(9, '0'));
  const seconds = part(4) * 3600 + part(5) * 60 + part(6);
  const ms = daysSinceEpoch(part(1), part(2), part(3)) * 86_400_000 + seconds * 1000;
  return { ms: ms + Math.floor(nano / 1e6), nanos: nano % 1e6 };
}

const isoPattern = /^(-?\d{4,})-(\d\d)-(\d\d)(?:[T ](\d\d):(\d\d):(\d\d)(?:\.(\d{1,9}))?Z?)?$/;
