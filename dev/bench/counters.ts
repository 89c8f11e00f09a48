import type { ClickHouseClient } from '@clickhouse/client';

/** What a ClickHouse has done so far. */
export interface Work {
  readonly statements: number;
  readonly readRows: number;
}

/** Reads the counters of a ClickHouse that nobody else uses; what asking them adds is left out of differences. */
export interface WorkCounter {
  /** What was done since the last call. */
  next(): Promise<Work>;
}

export async function openWorkCounter(client: ClickHouseClient): Promise<WorkCounter> {
  await workOf(client);
  const first = await workOf(client);
  const second = await workOf(client);
  const asking = difference(second, first);
  let last = second;
  return {
    next: async () => {
      const now = await workOf(client);
      const done = difference(difference(now, last), asking);
      last = now;
      return done;
    },
  };
}

const difference = (a: Work, b: Work): Work => ({
  statements: a.statements - b.statements,
  readRows: a.readRows - b.readRows,
});

async function workOf(client: ClickHouseClient): Promise<Work> {
  const answer = await client.query({
    query: `SELECT event, value FROM system.events WHERE event IN ('Query', 'SelectedRows')`,
    format: 'JSONEachRow',
  });
  const rows = await answer.json<{ readonly event: string; readonly value: string }>();
  const value = (event: string): number =>
    Number(rows.find((row) => row.event === event)?.value ?? 0);
  return { statements: value('Query'), readRows: value('SelectedRows') };
}
