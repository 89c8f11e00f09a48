import { createCatalog } from '../../plugins/kibana-clickhouse/clickhouse/catalog/load-catalog';
import { createExecutor } from '../../plugins/kibana-clickhouse/clickhouse/execution/clickhouse-executor';
import type {
  Executor,
  StatementSummary,
} from '../../plugins/kibana-clickhouse/clickhouse/execution/executor';
import { readableText } from '../../plugins/kibana-clickhouse/clickhouse/sql/compile';
import { parseJson } from '../../plugins/kibana-clickhouse/common/json/parse-json';
import { writeJson } from '../../plugins/kibana-clickhouse/common/json/write-json';
import { ResultCache } from '../../plugins/kibana-clickhouse/gateway/execution/result-cache';
import { resultCached } from '../../plugins/kibana-clickhouse/gateway/execution/result-cached';
import { mergeSettings } from '../../plugins/kibana-clickhouse/metadata/settings/setting-leaves';
import { parseSearchRequest } from '../../plugins/kibana-clickhouse/search/request/parse-search-request';
import { responseText } from '../../plugins/kibana-clickhouse/search/response/write-response';
import { runSearch } from '../../plugins/kibana-clickhouse/search/run-search';
import { processorMs } from '../measure/process-counters';
import { median } from '../measure/statistics';
import type { MeasuredSearch, Switches } from './searches';
import { measuredEnd } from './tables';

/** What a search cost. */
export interface Cost {
  /** From the parsed body to the whole text of the answer; of several runs the one in the middle. */
  readonly ms: number;
  readonly readRows: number;
  readonly statements: number;
  /** Processor time of ClickHouse; NaN where it cannot be known. */
  readonly cpuMs: number;
}

/** Measures searches on the tables of one ClickHouse. */
export interface Measurement {
  /** `runs`: how often, each over a range that has not been asked for; the first is not counted. */
  measure(search: MeasuredSearch, switches: Switches, table: string, runs: number): Promise<Cost>;
  close(): Promise<void>;
}

/** The caller closes it. `show`: gets the text of every statement; `pid`: of ClickHouse, where it runs here. */
export function openMeasurement(
  { url, pid }: { readonly url: string; readonly pid?: number | undefined },
  show: (sql: string) => void,
): Measurement {
  const executor = createExecutor({ url });
  const catalog = createCatalog(executor, 'default');
  // no two runs ask for the same range, so that none finds what another has left in ClickHouse's caches
  let now = measuredEnd - 3_600_000;
  return {
    measure: async (search, switches, name, runs) => {
      const table = await catalog.table(name);
      if (!table) throw new Error(`no table ${name}`);
      const run = runner({
        executor,
        show,
        pid,
        cache: switches.cache === true ? new ResultCache() : undefined,
      });
      now -= now % 20_000;
      const costs: Cost[] = [];
      for (let i = 0; i <= runs; i++) {
        const body = parseJson(writeJson(search.body(now)));
        const { trim, sampling, rounding } = switches;
        const context = { table, now, ...(trim && { trim }), ...(rounding && { rounding }) };
        costs.push(await run(body, { ...context, ...(sampling && { sampling }) }));
        now += search.step;
      }
      return middle(costs.slice(1));
    },
    close: async () => {
      catalog.close();
      await executor.close();
    },
  };
}

type Run = (
  body: ReturnType<typeof parseJson>,
  context: Omit<Parameters<typeof runSearch>[1], 'executor' | 'execution'>,
) => Promise<Cost>;

function runner({
  executor,
  show,
  pid,
  cache,
}: {
  readonly executor: Executor;
  readonly show: (sql: string) => void;
  readonly pid: number | undefined;
  readonly cache: ResultCache | undefined;
}): Run {
  const settings = mergeSettings([{ query: { useCache: true }, proxy: { round: 20 } }]);
  const cached = cache
    ? resultCached(cache, { current: () => settings })(executor, executor)
    : executor;
  return async (body, context) => {
    const summaries: StatementSummary[] = [];
    const observed = observe(cached, (summary, sql) => {
      summaries.push(summary);
      show(sql);
    });
    const before = processorMs(pid);
    const started = performance.now();
    const request = parseSearchRequest({ body, parameters: new Map() });
    const execution = { signal: new AbortController().signal, comment: 'measurement' };
    await responseText(await runSearch(request, { ...context, executor: observed, execution }));
    return {
      ms: performance.now() - started,
      readRows: summaries.reduce((sum, { readRows }) => sum + readRows, 0),
      statements: summaries.length,
      cpuMs: processorMs(pid) - before,
    };
  };
}

const observe = (
  executor: Executor,
  seen: (summary: StatementSummary, sql: string) => void,
): Executor => ({
  rows: async (statement, context) => {
    const result = await executor.rows(statement, context);
    seen(result.summary, readableText(statement.select));
    return result;
  },
  lines: async (statement, context) => {
    const result = await executor.lines(statement, context);
    seen(result.summary, readableText(statement.select));
    return result;
  },
});

/** The middle of each number. */
function middle(costs: readonly Cost[]): Cost {
  const of = (read: (cost: Cost) => number): number => median(costs.map(read));
  return {
    ms: of(({ ms }) => ms),
    readRows: of(({ readRows }) => readRows),
    statements: of(({ statements }) => statements),
    cpuMs: of(({ cpuMs }) => cpuMs),
  };
}
