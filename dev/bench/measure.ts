import type { ClickHouseClient } from '@clickhouse/client';
import { processorMs } from '../measure/process-counters';
import { median, quantile } from '../measure/statistics';
import type { WorkCounter } from './counters';
import type { BenchRequest } from './requests';

/** One way to an answer. */
export interface Way {
  readonly name: 'by hand' | 'answer process' | 'gateway';
  /** Process whose time is our own; undefined by hand. */
  readonly pid: () => number | undefined;
  /** Resolves when the whole answer was read. `now`: epoch ms. */
  ask(request: BenchRequest, table: string, now: number): Promise<unknown>;
}

/** What one request cost by one way. */
export interface Cost {
  readonly way: Way['name'];
  readonly medianMs: number;
  readonly p95Ms: number;
  /** Per request. */
  readonly statements: number;
  readonly readRows: number;
  /** Processor time per request: of ClickHouse, and our own. */
  readonly clickHouseMs: number;
  readonly ownMs: number;
}

export interface Bench {
  readonly ways: readonly Way[];
  readonly counter: WorkCounter;
  readonly clickHousePid: number | undefined;
  /** A time (epoch ms) that no request has asked for yet. */
  readonly nextNow: () => number;
}

interface Sample {
  readonly ms: number;
  readonly statements: number;
  readonly readRows: number;
  readonly clickHouseMs: number;
  readonly ownMs: number;
}

/** Asks by all ways in turn, `runs` times each, after one turn that does not count; every turn begins with another way. */
export async function measure(
  request: BenchRequest,
  table: string,
  runs: number,
  bench: Bench,
): Promise<readonly Cost[]> {
  const { ways } = bench;
  const samples = new Map<Way, Sample[]>(ways.map((way) => [way, []]));
  for (let run = -1; run < runs; run++) {
    for (let i = 0; i < ways.length; i++) {
      const way = ways[(i + run + 1) % ways.length];
      if (!way) continue;
      const sample = await once(way, request, table, bench);
      if (run >= 0) samples.get(way)?.push(sample);
    }
  }
  return ways.map((way) => costOf(way, samples.get(way) ?? []));
}

async function once(way: Way, request: BenchRequest, table: string, bench: Bench): Promise<Sample> {
  const { counter, clickHousePid, nextNow } = bench;
  const now = nextNow();
  await counter.next();
  const [clickHouse, own] = [processorMs(clickHousePid), processorMs(way.pid())];
  const started = performance.now();
  await way.ask(request, table, now);
  const ms = performance.now() - started;
  const ownMs = processorMs(way.pid()) - own;
  const clickHouseMs = processorMs(clickHousePid) - clickHouse;
  return { ms, ownMs, clickHouseMs, ...(await counter.next()) };
}

function costOf(way: Way, samples: readonly Sample[]): Cost {
  const each = (key: keyof Sample): readonly number[] => samples.map((sample) => sample[key]);
  const mean = (key: keyof Sample): number =>
    each(key).reduce((sum, value) => sum + value, 0) / samples.length;
  return {
    way: way.name,
    medianMs: median(each('ms')),
    p95Ms: quantile(each('ms'), 0.95),
    statements: median(each('statements')),
    readRows: median(each('readRows')),
    clickHouseMs: mean('clickHouseMs'),
    ownMs: mean('ownMs'),
  };
}

/** The statements that an expert writes, sent at once, their rows read as they come. */
export const handWritten = (client: ClickHouseClient): Way => ({
  name: 'by hand',
  pid: () => undefined,
  ask: (request, table, now) =>
    Promise.all(request.byHand(table, now).map((sql) => readRaw(client, sql))),
});

async function readRaw(client: ClickHouseClient, sql: string): Promise<number> {
  const { stream } = await client.exec({ query: `${sql} FORMAT JSONEachRow` });
  let bytes = 0;
  for await (const chunk of stream) bytes += (chunk as Buffer).length;
  return bytes;
}
