import type { Executor, StatementSummary } from '../clickhouse/execution/executor';

/** An executor that remembers whether its statements were answered from kept results. */
export interface ObservedExecutor {
  readonly executor: Executor;
  /** Whether there were statements, and ClickHouse ran none of them. */
  allCached(): boolean;
}

/** Observes the statements of one search. */
export function observedExecutor(executor: Executor): ObservedExecutor {
  let [statements, cached] = [0, 0];
  const seen = async <R extends { readonly summary: StatementSummary }>(
    result: Promise<R>,
  ): Promise<R> => {
    statements++;
    const { summary } = await result;
    if (summary.cached === true) cached++;
    return result;
  };
  return {
    executor: {
      rows: (statement, context) => seen(executor.rows(statement, context)),
      lines: (statement, context) => seen(executor.lines(statement, context)),
    },
    allCached: () => statements > 0 && cached === statements,
  };
}
