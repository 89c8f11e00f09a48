import type { Metrics } from '../../common/metrics';
import type { Executor, StatementSummary } from './executor';

/** The same executor, whose statements are counted, each when ClickHouse has run it or it has failed. */
export function countedExecutor(executor: Executor, metrics: Metrics): Executor {
  const counted = async <R extends { readonly summary: StatementSummary }>(
    run: () => Promise<R>,
  ): Promise<R> => {
    const startedAt = performance.now();
    try {
      const result = await run();
      const { readRows: rows, readBytes: bytes } = result.summary;
      metrics.statement('ok', performance.now() - startedAt, { rows, bytes });
      return result;
    } catch (error) {
      metrics.statement('failed', performance.now() - startedAt, { rows: 0, bytes: 0 });
      throw error;
    }
  };
  return {
    ...(executor.origin !== undefined && { origin: executor.origin }),
    rows: (statement, context) => counted(() => executor.rows(statement, context)),
    lines: (statement, context) => counted(() => executor.lines(statement, context)),
  };
}
