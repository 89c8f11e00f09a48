import type { ExecutionContext } from '../../clickhouse/execution/executor';
import type { Metrics } from '../../common/metrics';
import type { SettingsService } from '../../metadata/settings/settings-service';
import type { Interceptor } from './interceptor';
import { StatementPool } from './statement-pool';

/** The pools of one configuration: `msearch` for the statements of `_msearch`, `common` for all other searches'. */
export interface StatementPools {
  readonly msearch: StatementPool;
  readonly common: StatementPool;
  /** Stops following the settings; what waits still gets its turn. */
  close(): void;
}

/** Makes the pools, which follow the settings `threadPool.*`, and shows them in the metrics. */
export function createStatementPools(
  settings: Pick<SettingsService, 'current' | 'onChange'>,
  metrics: Pick<Metrics, 'observe'>,
): StatementPools {
  const poolOf = (setting: 'msearchProperty' | 'commonProperty'): StatementPool =>
    new StatementPool(`threadPool.${setting}`, () => settings.current().threadPool[setting]);
  const msearch = poolOf('msearchProperty');
  const common = poolOf('commonProperty');
  const stops = [
    settings.onChange(() => {
      msearch.startWaiting();
      common.startWaiting();
    }),
    ...observed(metrics, 'msearch', msearch),
    ...observed(metrics, 'common', common),
  ];
  return {
    msearch,
    common,
    close: () => {
      for (const stop of stops) stop();
    },
  };
}

function observed(
  metrics: Pick<Metrics, 'observe'>,
  name: 'msearch' | 'common',
  pool: StatementPool,
): readonly (() => void)[] {
  return [
    metrics.observe({
      name: `pool_${name}_active_statements`,
      kind: 'gauge',
      help: `Statements that run in the pool ${name}.`,
      read: () => pool.status().active,
    }),
    metrics.observe({
      name: `pool_${name}_queued_statements`,
      kind: 'gauge',
      help: `Statements that wait in the pool ${name}.`,
      read: () => pool.status().queued,
    }),
    metrics.observe({
      name: `pool_${name}_rejected_total`,
      kind: 'counter',
      help: `Statements that the pool ${name} refused because too many waited.`,
      read: () => pool.status().rejected,
    }),
  ];
}

/**
 * Runs the statements of searches in the pools. ClickHouse has run a statement whole before the first
 * line of its result comes (`wait_end_of_query`): a client that reads slowly holds no place.
 */
export const pooled =
  (pools: Pick<StatementPools, 'msearch' | 'common'>): Interceptor =>
  (next) => {
    const inPool = <T>({ caller, signal }: ExecutionContext, run: () => Promise<T>): Promise<T> => {
      if (!caller) return run();
      const { consumer = '', pool = 'common' } = caller;
      return pools[pool].run({ consumer, signal }, run);
    };
    return {
      rows: (statement, context) => inPool(context, () => next.rows(statement, context)),
      lines: (statement, context) => inPool(context, () => next.lines(statement, context)),
    };
  };
