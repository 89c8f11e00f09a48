import { createHash } from 'node:crypto';
import type { ExecutionContext, Executor } from '../../clickhouse/execution/executor';
import { cacheKey, type CompiledStatement } from '../../clickhouse/sql/compile';
import { timeRounding, type TimeRounding } from '../../search/time-rounding';
import type { SettingsService } from '../../metadata/settings/settings-service';
import type { Interceptor } from './interceptor';
import type { CachePlace, ResultCache } from './result-cache';
import { resultLifetimeMs } from './result-cache-lifetime';

/** Answers the statements of searches from kept results where the setting `query.useCache` says so. */
export const resultCached =
  (cache: ResultCache, settings: Pick<SettingsService, 'current'>): Interceptor =>
  (next, connection) => {
    const placeOf = (
      kind: 'rows' | 'lines',
      statement: CompiledStatement,
      context: ExecutionContext,
    ): CachePlace | undefined => {
      const { query, proxy } = settings.current();
      if (!query.useCache || !context.search) return undefined;
      const rounding = timeRounding(proxy);
      return place({ kind, statement, context, connection, rounding });
    };
    return {
      rows: (statement, context) => {
        const found = placeOf('rows', statement, context);
        if (!found) return next.rows(statement, context);
        return cache.rows(found, context.signal, (signal) =>
          next.rows(statement, { ...context, signal }),
        );
      },
      lines: (statement, context) => {
        const found = placeOf('lines', statement, context);
        const run = () => next.lines(statement, context);
        return found && found.lifetimeMs > 0 ? cache.lines(found, run) : run();
      },
    };
  };

interface Asked {
  readonly kind: 'rows' | 'lines';
  readonly statement: CompiledStatement;
  readonly context: ExecutionContext;
  readonly connection: Executor;
  readonly rounding: TimeRounding | undefined;
}

/** The statement with its values, where it runs, the structure of its table, and what it may cost: an error differs by that. */
function place({ kind, statement, context, connection, rounding }: Asked): CachePlace {
  const { search, limits } = context;
  const parts = [kind, numberOf(connection), search?.structure, limits ?? null];
  const text = `${JSON.stringify(parts)}\n${cacheKey(statement.select)}`;
  return {
    key: createHash('sha256').update(text).digest('base64'),
    lifetimeMs: resultLifetimeMs(search ?? {}, rounding, Date.now()),
  };
}

const numbers = new WeakMap<Executor, number>();
let connections = 0;

/** Tells connections apart: address, user and database are one connection's. */
function numberOf(connection: Executor): number {
  const known = numbers.get(connection);
  if (known !== undefined) return known;
  connections++;
  numbers.set(connection, connections);
  return connections;
}
