import { as, and, integer, isAlwaysFalse } from '../clickhouse/sql/build';
import { compileSelect } from '../clickhouse/sql/compile';
import { isUnsupported } from '../common/errors/catalogue';
import { ElasticsearchError } from '../common/errors/elasticsearch-error';
import type { QueryNode } from '../search/queries/definition';
import { splitCondition } from '../search/queries/split-time-range';
import type { GatewayRequest } from './endpoints/definition';
import { statementLimits } from './execution/query-limits';
import type { Runtime } from './runtime';
import { executionOf, planContext } from './search-index';

/**
 * Whether an `index_filter` lets an index stand: not where its query can match nothing, or no row lies in its time range.
 * As in Elasticsearch, an index stays where that cannot be told (`SearchService.canMatch`).
 */
export async function canMatch(
  index: string,
  query: QueryNode,
  request: GatewayRequest,
  runtime: Runtime,
): Promise<boolean> {
  try {
    const context = await planContext(index, runtime, Date.now());
    const { where, timeRange } = splitCondition(query, context);
    if (isAlwaysFalse(where)) return false;
    if (timeRange === undefined) return true;
    const { database, name } = context.table;
    const select = {
      columns: [as('row', integer(1))],
      from: { kind: 'table', database, table: name },
      where: and([]),
      timeRange,
      limit: 1,
    } as const;
    const limits = statementLimits(runtime.settings.current(), index);
    const execution = { ...executionOf({ index }, request), limits };
    return (await runtime.executor.rows(compileSelect(select), execution)).rows.length > 0;
  } catch (error) {
    if (isOfTheQuery(error)) return true;
    throw error;
  }
}

/** A limit, a value that does not fit, a clause that is not translated: all leave the question open. */
const isOfTheQuery = (error: unknown): boolean =>
  error instanceof ElasticsearchError && (error.status === 400 || isUnsupported(error));
