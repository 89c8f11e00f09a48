import type { Catalog } from '../../clickhouse/catalog/load-catalog';
import { mapLimited } from '../../common/async/map-limited';
import type { Settings } from '../../../../schema/settings';
import { servedIndexes } from '../index-expression';
import type { PartStatus } from './part-status';

/** Tables that are looked up at the same time, and at most in one check. */
const CONCURRENCY = 4;
const MAX_TABLES = 200;

/**
 * Whether the tables of the indexes that the setting `query.sampleIndexPatterns` names can be sampled: each that cannot is a
 * problem. `none` where nothing is to be sampled. Rejects when ClickHouse cannot be asked.
 */
export async function checkSampling(
  { query, proxy }: Settings,
  catalog: () => Pick<Catalog, 'sampleReadsLess' | 'table'>,
): Promise<Pick<PartStatus, 'status' | 'problems'>> {
  const served = servedIndexes(proxy);
  const listed = query.sampleIndexPatterns.filter((index) => served.has(index));
  if (query.sampleCountMaxThreshold === 0 || listed.length === 0)
    return { status: 'none', problems: [] };
  const tables = catalog();
  const found = await mapLimited(listed.slice(0, MAX_TABLES), CONCURRENCY, (index) =>
    problemOf(index, tables),
  );
  const problems = found.filter((problem) => problem !== undefined);
  return { status: problems.length > 0 ? 'degraded' : 'up', problems };
}

async function problemOf(
  index: string,
  tables: Pick<Catalog, 'sampleReadsLess' | 'table'>,
): Promise<string | undefined> {
  const table = await tables.table(index);
  const listed = `[${index}] is listed as sampled, but`;
  if (!table) return `${listed} ClickHouse has no table of that name`;
  if (table.samplingKey === undefined)
    return `${listed} its table has no SAMPLE BY: it is answered unsampled`;
  if (await tables.sampleReadsLess(table)) return undefined;
  return `${listed} SAMPLE reads no less of its table, because of what stands before [${table.samplingKey}] in the primary key: it is answered unsampled`;
}
