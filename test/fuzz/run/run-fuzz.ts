import { writeJson } from '../../../plugins/kibana-clickhouse/common/json/write-json';
import type { Oracle } from '../../oracle/oracle';
import { type FeatureSet, claimsOf } from '../feature-sets';
import type { FuzzRequest } from '../requests/context';
import { type Batch, loadBatch } from './batch';
import { minimalCase } from './minimal-case';
import { type FuzzReport, printOutcomes } from './report';
import { type Tally, openTally } from './tally';
import { type Verdict, judge, kindsOf } from './verdict';

/** How much a run does. */
export interface FuzzOptions {
  readonly cases: number;
  readonly seed: number;
  /** Clauses and aggregations that the searches are made of. */
  readonly features: FeatureSet;
  /** Ends after this many seconds, whatever is left. */
  readonly seconds: number;
  /** Kinds of differences after which it ends. */
  readonly differences: number;
  readonly print: (line: string) => void;
}

/** Searches that are under way at once: both servers have work while answers are compared. */
const atOnce = 4;

/** Batches after which a line tells how far it is. */
const batchesPerLine = 10;

interface Run {
  readonly oracle: Oracle;
  readonly tally: Tally;
  /** Texts of differences by their kind. */
  readonly found: Map<string, string>;
  readonly print: (line: string) => void;
  readonly goesOn: () => boolean;
}

/** Compares the answers of both servers to random searches on random documents, all of them decided by the seed. */
export async function runFuzz(oracle: Oracle, options: FuzzOptions): Promise<FuzzReport> {
  const { seed, print, cases, seconds, differences } = options;
  const tally = openTally(claimsOf(options.features));
  const found = new Map<string, string>();
  const started = performance.now();
  const elapsed = (): number => (performance.now() - started) / 1000;
  const goesOn = (): boolean => elapsed() < seconds && found.size < differences;
  const run: Run = { oracle, tally, found, print, goesOn };
  let next = loadBatch(oracle, options, 0);
  for (let number = 1; ; number += 1) {
    const batch = await next;
    const left = cases - tally.total() - batch.searches.length;
    // the next documents are loaded while searches on these are answered
    if (left > 0) next = loadBatch(oracle, options, number);
    await searchBatch(run, batch, cases - tally.total());
    await batch.remove();
    if (left <= 0) break;
    if (!goesOn()) {
      await (await next).remove();
      break;
    }
    if (number % batchesPerLine === 0) print(printOutcomes({ seed, tally, seconds: elapsed() }));
  }
  return { seed, tally, found: [...found.values()], seconds: elapsed() };
}

async function searchBatch(run: Run, batch: Batch, limit: number): Promise<void> {
  const searches = batch.searches.slice(0, limit).values();
  const worker = async (): Promise<void> => {
    for (const request of searches) {
      if (!run.goesOn()) return;
      await oneCase(run, batch, request);
    }
  };
  await Promise.all(Array.from({ length: atOnce }, worker));
}

async function oneCase({ oracle, tally, found, print }: Run, batch: Batch, request: FuzzRequest) {
  const verdict: Verdict = await judge(oracle, { ...batch, request }).catch((error: unknown) => {
    throw new Error(`${String(error)}: ${writeJson({ ...request })}`, { cause: error });
  });
  tally.add({ ...verdict, request });
  if (verdict.outcome !== 'different') return;
  const [kind] = kindsOf(verdict);
  if (found.has(kind)) return;
  found.set(kind, kind);
  const text = await minimalCase(oracle, { ...batch, request, verdict });
  found.set(kind, text);
  print(text);
}
