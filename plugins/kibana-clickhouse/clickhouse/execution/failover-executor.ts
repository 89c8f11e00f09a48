import type { ClickHouseExecutor } from './clickhouse-executor';
import { isNotConnected, toElasticsearchError } from './errors';

/** A server that could not be reached is asked last for this time, in ms. */
const AVOIDED_MS = 10_000;

/**
 * One executor over several servers with the same tables: the first one of the list that can be reached is asked. Only a
 * statement that was never sent goes to the next server: one that a server died of would kill the others, too. `now`: ms,
 * growing; for tests.
 */
export function failoverExecutor(
  servers: readonly [ClickHouseExecutor, ...ClickHouseExecutor[]],
  now: () => number = () => performance.now(),
): ClickHouseExecutor {
  const [only, ...others] = servers;
  if (others.length === 0) return only;
  const avoidedUntil = new Map<ClickHouseExecutor, number>();
  const isAvoided = (server: ClickHouseExecutor): boolean =>
    (avoidedUntil.get(server) ?? 0) > now();
  const inTurn = (): readonly ClickHouseExecutor[] => [
    ...servers.filter((server) => !isAvoided(server)),
    ...servers.filter(isAvoided),
  ];
  const onFirst = async <R>(run: (server: ClickHouseExecutor) => Promise<R>): Promise<R> => {
    let failure: unknown;
    for (const server of inTurn()) {
      try {
        const result = await run(server);
        avoidedUntil.delete(server);
        return result;
      } catch (error) {
        if (!isNotConnected(error)) throw error;
        avoidedUntil.set(server, now() + AVOIDED_MS);
        failure = error;
      }
    }
    throw toElasticsearchError(failure);
  };
  return {
    origin: JSON.stringify(servers.map(({ origin }) => origin)),
    rows: (statement, context) => onFirst((server) => server.rows(statement, context)),
    lines: (statement, context) => onFirst((server) => server.lines(statement, context)),
    ping: () => pingAll(servers),
    close: async () => {
      await Promise.all(servers.map((server) => server.close()));
    },
  };
}

/** Why servers cannot be used, by their place in the list; throws the first one's reason when none can. */
async function pingAll(servers: readonly ClickHouseExecutor[]): Promise<readonly string[]> {
  const outcomes = await Promise.allSettled(servers.map((server) => server.ping()));
  const failed = outcomes.flatMap((outcome, i) =>
    outcome.status === 'rejected'
      ? [{ place: i + 1, error: toElasticsearchError(outcome.reason) }]
      : [],
  );
  const [first] = failed;
  if (first && failed.length === servers.length) throw first.error;
  return failed.map(
    ({ place, error }) =>
      `server ${String(place)} of ${String(servers.length)}: ${error.message.replace('[kibana-clickhouse] ', '')}`,
  );
}
