import { setTimeout as sleep } from 'node:timers/promises';
import { connect } from '../../dev/clickhouse/run-sql';
import { reader } from './product';

/** What runs in ClickHouse for the plugin, as `system.processes` shows it. */
export interface RunningQueries {
  /** How many of the queries of the table `slow` run now. */
  count(): Promise<number>;
  /** Waits until that many run; throws when they do not within 30 s. Gives how long it took, in ms. */
  until(expected: number): Promise<number>;
  close(): Promise<void>;
}

const LIMIT_MS = 30_000;

/** Looks at the queries of the plugin's user, over a connection that stays open. */
export function runningQueries(clickHouseUrl: string): RunningQueries {
  const client = connect({ url: clickHouseUrl });
  const count = async (): Promise<number> => {
    const answer = await client.query({
      query: `SELECT count() FROM system.processes WHERE query LIKE '%slow%' AND user = {user:String}`,
      query_params: { user: reader.name },
      format: 'TabSeparated',
    });
    return Number((await answer.text()).trim());
  };
  return {
    count,
    until: async (expected) => {
      const startedAt = performance.now();
      while (performance.now() - startedAt < LIMIT_MS) {
        if ((await count()) === expected) return Math.round(performance.now() - startedAt);
        await sleep(2);
      }
      throw new Error(`not ${String(expected)} queries after ${String(LIMIT_MS)} ms`);
    },
    close: () => client.close(),
  };
}
