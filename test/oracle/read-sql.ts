import { createCatalog } from '../../plugins/kibana-clickhouse/clickhouse/catalog/load-catalog';
import { createExecutor } from '../../plugins/kibana-clickhouse/clickhouse/execution/clickhouse-executor';
import { readableText } from '../../plugins/kibana-clickhouse/clickhouse/sql/compile';
import { parseJson } from '../../plugins/kibana-clickhouse/common/json/parse-json';
import { writeJson } from '../../plugins/kibana-clickhouse/common/json/write-json';
import { parseSearchRequest } from '../../plugins/kibana-clickhouse/search/request/parse-search-request';
import { planSearch, statementsOf } from '../../plugins/kibana-clickhouse/search/run-search';
import type { OracleRequest } from './judge-request';

/** Shows what the product asks of ClickHouse. */
export interface SqlReader {
  /** The statements of a search, one after the other. Never rejects. */
  sql(request: OracleRequest): Promise<string>;
  close(): Promise<void>;
}

/** A reader over the tables of a ClickHouse, as its default user. The caller closes it. */
export function openSqlReader(url: string): SqlReader {
  const executor = createExecutor({ url });
  const catalog = createCatalog(executor, 'default');
  const read = async ({ path, body }: OracleRequest): Promise<string> => {
    const [, index = '', query = ''] =
      /^\/([^/?]+)\/_(?:async_)?search(?:\?(.*))?$/.exec(path) ?? [];
    const table = index === '' ? undefined : await catalog.table(decodeURIComponent(index));
    if (table === undefined) return '(no single search on a table)';
    const json = typeof body === 'string' ? parseJson(body) : body;
    const parameters = new Map(new URLSearchParams(query));
    const request = parseSearchRequest({
      body: json === undefined ? undefined : parseJson(writeJson(json)),
      parameters,
    });
    return statementsOf(planSearch(request, { table, now: Date.now() }))
      .map(readableText)
      .join(';\n');
  };
  return {
    sql: async (request) => {
      try {
        return await read(request);
      } catch (error) {
        return `(no SQL: ${error instanceof Error ? error.message : String(error)})`;
      }
    },
    close: async () => {
      catalog.close();
      await executor.close();
    },
  };
}
