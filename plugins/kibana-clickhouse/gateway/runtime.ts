import type { Executor } from '../clickhouse/execution/executor';
import type { Table } from '../clickhouse/catalog/table';

/** Everything that answers requests of one configuration. Made on first use, closed when idle. */
export interface Runtime {
  readonly executor: Executor;
  /** The table behind a whitelisted name. 404 `index_not_found_exception` when there is none. */
  table(index: string): Promise<Table>;
  /** Whether the exact name is served from ClickHouse: whitelisted and not blacklisted. */
  serves(index: string): boolean;
  close(): Promise<void>;
}
