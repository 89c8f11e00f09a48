import type { Settings } from '../../../../schema/settings';
import type { StatementLimits } from '../../clickhouse/execution/executor';
import type { SearchLimits } from '../../search/search-limits';

/** What the settings let a search of an index ask for: the table's own limits before the global ones. */
export const searchLimits = ({ proxy, query, tables }: Settings, index: string): SearchLimits => ({
  maxTimeRangeMs: tables[index]?.maxTimeRange ?? proxy.maxTimeRange,
  maxResultRows: query.maxResultRow,
  maxBuckets: query.maxBuckets,
});

/**
 * What each statement of a search may cost, which ClickHouse enforces. `timeoutMs`: what the request
 * itself gives the search, as Kibana does; it can only lower the limit.
 */
export function statementLimits(
  { query, tables }: Settings,
  index: string,
  timeoutMs = Infinity,
): StatementLimits {
  const own = tables[index] ?? {};
  const maxMemoryBytes = own.maxMemoryBytes ?? query.maxMemoryBytes;
  const maxReadRows = own.maxReadRows ?? query.maxReadRows;
  return {
    maxExecutionMs: Math.min(own.maxExecutionMs ?? query.maxExecutionMs, timeoutMs),
    ...(maxMemoryBytes > 0 && { maxMemoryBytes }),
    ...(maxReadRows > 0 && { maxReadRows }),
    maxResultRows: query.maxResultRow,
  };
}
