import { type TableSize, tableSize } from '../clickhouse/catalog/table-size';
import type { GatewayRequest } from './endpoints/definition';
import type { Runtime } from './runtime';
import { executionOf } from './search-index';

/** How much an index of ours holds. */
export const indexSize = async (
  index: string,
  request: GatewayRequest,
  runtime: Runtime,
): Promise<TableSize> =>
  tableSize(await runtime.table(index), runtime.executor, executionOf({ index }, request));
