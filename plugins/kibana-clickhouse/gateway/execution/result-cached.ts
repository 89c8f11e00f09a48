import { createHash } from 'node:crypto';
import type { ExecutionContext, Executor } from '../../clickhouse/execution/executor';
import { cacheKey, type CompiledStatement } from '../../clickhouse/sql/compile';
import type { Settings } from '../../../../schema/settings';
import { maskSettings } from '../../metadata/settings/mask';
import type { SettingsService } from '../../metadata/settings/settings-service';
import { timeRounding } from '../../search/time-rounding';
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
      const now = settings.current();
      if (!now.query.useCache || !context.search) return undefined;
      return place({ kind, statement, context, connection, settings: now });
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
  readonly settings: Settings;
}

/** The statement with its values, where it runs, the structure of its table, and what it may cost: an error differs by that. */
function place({ kind, statement, context, connection, settings }: Asked): CachePlace {
  const { search, limits } = context;
  const { origin } = connection;
  const asked = cacheKey(statement.select);
  const keyOf = (where: string | number): string => {
    const parts = [kind, where, search?.structure, limits ?? null];
    return createHash('sha256')
      .update(`${JSON.stringify(parts)}\n${asked}`)
      .digest('base64');
  };
  const lifetimeMs = resultLifetimeMs(search ?? {}, timeRounding(settings.proxy), Date.now());
  const isShared = lifetimeMs > 0 && origin !== undefined;
  return {
    key: keyOf(numberOf(connection)),
    lifetimeMs,
    ...(isShared && { sharedKey: keyOf(`${origin}\n${stateOf(settings)}`) }),
  };
}

const states = new WeakMap<Settings, string>();

/** Another text after any change of the settings; secrets are not in it. */
function stateOf(settings: Settings): string {
  const known = states.get(settings);
  if (known !== undefined) return known;
  const state = JSON.stringify(maskSettings(settings));
  states.set(settings, state);
  return state;
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
