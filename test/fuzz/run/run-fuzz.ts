import * as fc from 'fast-check';
import { documents as arbitraryDocuments } from '../documents/documents';
import { type FuzzDocuments, datasetOf } from '../documents/field';
import { writeJson } from '../../../plugins/kibana-clickhouse/common/json/write-json';
import type { Oracle } from '../../oracle/oracle';
import type { FuzzRequest } from '../requests/context';
import { requests as arbitraryRequests } from '../requests/requests';
import { claims } from './claims';
import { featuresOf } from './features';
import { minimalCase } from './minimal-case';
import type { FuzzReport } from './report';
import { type Outcome, type Verdict, judge, kindsOf } from './verdict';

/** How much a run does. */
export interface FuzzOptions {
  readonly cases: number;
  readonly seed: number;
  /** Ends after this many seconds, whatever is left. */
  readonly seconds: number;
  /** Kinds of differences after which it ends. */
  readonly differences: number;
  readonly print: (line: string) => void;
}

/** Searches on one set of documents. */
export const casesPerDocuments = 200;

interface Counts {
  readonly outcomes: Map<Outcome, number>;
  readonly seen: Map<string, number>;
  readonly reasons: Map<string, number>;
  readonly found: Map<string, string>;
}

const count = <T>(counts: Map<T, number>, key: T): void => {
  counts.set(key, (counts.get(key) ?? 0) + 1);
};

const claimed: ReadonlySet<string> = new Set(claims);

/** Compares the answers of both servers to random searches on random documents, all of them decided by the seed. */
export async function runFuzz(oracle: Oracle, options: FuzzOptions): Promise<FuzzReport> {
  const counts: Counts = {
    outcomes: new Map(),
    seen: new Map(),
    reasons: new Map(),
    found: new Map(),
  };
  const started = performance.now();
  const elapsed = (): number => (performance.now() - started) / 1000;
  let done = 0;
  const goesOn = (): boolean =>
    done < options.cases && elapsed() < options.seconds && counts.found.size < options.differences;
  for (let batch = 0; goesOn(); batch += 1) {
    const seed = options.seed + batch;
    const [documents] = fc.sample(arbitraryDocuments, { seed, numRuns: 1 });
    if (documents === undefined) break;
    const index = `fuzz-${String(seed)}`;
    const dataset = datasetOf(documents, index);
    await oracle.load(dataset);
    const searches = fc.sample(arbitraryRequests(documents), {
      seed,
      numRuns: Math.min(casesPerDocuments, options.cases - done),
    });
    for (const request of searches) {
      if (!goesOn()) break;
      await oneCase({ oracle, documents, index, counts, print: options.print }, request);
      done += 1;
    }
    await oracle.remove(dataset);
  }
  return { seed: options.seed, ...counts, found: [...counts.found.values()], seconds: elapsed() };
}

interface Batch {
  readonly oracle: Oracle;
  readonly documents: FuzzDocuments;
  readonly index: string;
  readonly counts: Counts;
  readonly print: (line: string) => void;
}

async function oneCase(
  { oracle, documents, index, counts, print }: Batch,
  request: FuzzRequest,
): Promise<void> {
  const verdict: Verdict = await judge(oracle, request, index).catch((error: unknown) => {
    throw new Error(`${String(error)}: ${writeJson({ ...request })}`, { cause: error });
  });
  count(counts.outcomes, verdict.outcome);
  if (verdict.reason !== undefined) count(counts.reasons, verdict.reason);
  if (verdict.outcome === 'equal')
    for (const feature of featuresOf(request))
      if (claimed.has(feature)) count(counts.seen, feature);
  if (verdict.outcome !== 'different') return;
  const [kind] = kindsOf(verdict);
  if (counts.found.has(kind)) return;
  counts.found.set(kind, kind);
  const text = await minimalCase(oracle, { request, documents, index, verdict });
  counts.found.set(kind, text);
  print(text);
}
