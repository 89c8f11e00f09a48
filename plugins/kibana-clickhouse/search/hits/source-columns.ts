import type { ColumnType } from '../../clickhouse/catalog/column-type';
import type { Column, Table } from '../../clickhouse/catalog/table';
import { as, call, column } from '../../clickhouse/sql/build';
import type { SelectColumn } from '../../clickhouse/sql/nodes';
import { unsupported } from '../../common/errors/catalogue';
import type { SourceFilter } from '../request/search-request';
import { showsInSource } from '../request/source-filter';

/**
 * The columns of `_source` in table order, under their own names. Columns that ClickHouse computes
 * (MATERIALIZED, ALIAS) are fields but were never part of the document. Throws where a pattern would
 * take a part of a column only.
 */
export function sourceColumns(table: Table, filter: SourceFilter): readonly SelectColumn[] {
  if (!filter.enabled) return [];
  const shows = showsInSource(filter);
  const stored = table.columns.filter(({ kind }) => kind === 'stored');
  for (const item of stored) refuseParts(item, filter);
  return stored.filter(({ name }) => shows(name)).map(sourceColumn);
}

/** A FixedString is padded with zero bytes that were never part of the value. */
function sourceColumn({ name, type }: Column): SelectColumn {
  const value = column(name);
  return as(name, type.name === 'FixedString' ? call('toStringCutToZero', value) : value);
}

function refuseParts({ name, type }: Column, { includes, excludes }: SourceFilter): void {
  if (!hasNames(type)) return;
  const whole = showsInSource({ enabled: true, includes, excludes: [] })(name);
  const candidates = whole ? excludes : [...includes, ...excludes];
  const excluded = !showsInSource({ enabled: true, includes: [], excludes })(name);
  const partial = excluded ? undefined : candidates.find((pattern) => reaches(pattern, name));
  if (partial !== undefined)
    throw unsupported(`[_source] of a part of the column [${name}] by the pattern [${partial}]`);
}

/** Types that print as objects. */
function hasNames(type: ColumnType): boolean {
  if (type.name === 'Array') return type.inner.some(hasNames);
  return type.names.length > 0 || objectTypes.includes(type.name);
}

const objectTypes: readonly string[] = ['Dynamic', 'JSON', 'Map', 'Object', 'Variant'];

/** Whether a pattern could match a name below `parent`: its start agrees with `parent.`. */
function reaches(pattern: string, parent: string): boolean {
  const below = `${parent}.`;
  const star = pattern.indexOf('*');
  if (star < 0) return pattern.startsWith(below);
  const head = pattern.slice(0, star);
  return head.startsWith(below) || below.startsWith(head);
}
