import type { Settings } from '../../../../schema/settings';
import type { Catalog } from '../../clickhouse/catalog/load-catalog';
import type { Table } from '../../clickhouse/catalog/table';
import { mapLimited } from '../../common/async/map-limited';
import { servedIndexes } from '../index-expression';
import type { PartStatus } from './part-status';

/** Tables that are looked up at the same time, and at most in one check. */
const CONCURRENCY = 4;
const MAX_TABLES = 200;

/**
 * Whether the time fields that the settings name are such: those of `tables` for served indexes, and
 * `proxy.defaultTimeFieldName`, which must be a time field wherever a table has it, and somewhere. `none` where none is named.
 * Rejects when ClickHouse cannot be asked.
 */
export async function checkTimeFields(
  { proxy, tables }: Settings,
  catalog: () => Pick<Catalog, 'table'>,
): Promise<Pick<PartStatus, 'status' | 'problems'>> {
  const { defaultTimeFieldName: byDefault } = proxy;
  const served = [...servedIndexes(proxy)];
  const named = served.filter((index) => tables[index]?.timeField !== undefined);
  const asked = byDefault === '' ? named : served;
  if (asked.length === 0) return { status: 'none', problems: [] };
  const { table } = catalog();
  const found = await mapLimited(asked.slice(0, MAX_TABLES), CONCURRENCY, async (index) => ({
    index,
    table: await table(index),
  }));
  const problems = [...found.flatMap(problemsOf), ...nowhere(byDefault, found)];
  return { status: problems.length > 0 ? 'degraded' : 'up', problems };
}

interface Found {
  readonly index: string;
  /** Absent where ClickHouse has none of that name. */
  readonly table: Table | undefined;
}

const problemsOf = ({ index, table }: Found): readonly string[] =>
  table?.timeFieldProblem === undefined ? [] : [`[${index}]: ${table.timeFieldProblem}`];

/** A default that fits no table is a mistake, one that some tables have not is none. */
function nowhere(name: string, found: readonly Found[]): readonly string[] {
  const tables = found.flatMap(({ table }) => (table ? [table] : []));
  if (name === '' || tables.length === 0 || tables.some(({ fields }) => fields.has(name)))
    return [];
  return [`proxy.defaultTimeFieldName names [${name}], which is a field of no served table`];
}
