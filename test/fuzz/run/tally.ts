import type { FuzzRequest } from '../requests/context';
import { featuresOf } from './features';

/**
 * What came of one request. *Empty*: equal, without a hit or a bucket with documents. *Error*: both refuse it alike.
 * *Refused*: the product says that it does not do this. *Excluded*: different for a reason of `excluded.ts`.
 */
export type Outcome = 'equal' | 'empty' | 'error' | 'refused' | 'excluded' | 'different';

/** One request that was judged. `reason`: why it is refused or excluded. */
export interface Judged {
  readonly request: FuzzRequest;
  readonly outcome: Outcome;
  readonly reason?: string;
}

/** Counts of a run. */
export interface Tally {
  readonly outcomes: ReadonlyMap<Outcome, number>;
  /** In how many non-empty equal answers each claim stood; a claim that stood in none is there with 0. */
  readonly seen: ReadonlyMap<string, number>;
  /** How often each reason refused or excluded a request. */
  readonly reasons: ReadonlyMap<string, number>;
  /** Requests that were judged. */
  total(): number;
  /** Claims that stood in no answer that proves anything. */
  unseen(): readonly string[];
  add(judged: Judged): void;
}

/** Counts outcomes, and for each of the claims the answers that prove it: equal, and with documents in them. */
export function openTally(claims: readonly string[]): Tally {
  const outcomes = new Map<Outcome, number>();
  const seen = new Map(claims.map((claim) => [claim, 0]));
  const reasons = new Map<string, number>();
  return {
    outcomes,
    seen,
    reasons,
    total: () => [...outcomes.values()].reduce((sum, count) => sum + count, 0),
    unseen: () => claims.filter((claim) => seen.get(claim) === 0),
    add: ({ request, outcome, reason }) => {
      increment(outcomes, outcome);
      if (reason !== undefined) increment(reasons, reason);
      if (outcome !== 'equal') return;
      for (const feature of featuresOf(request)) if (seen.has(feature)) increment(seen, feature);
    },
  };
}

const increment = <T>(counts: Map<T, number>, key: T): void => {
  counts.set(key, (counts.get(key) ?? 0) + 1);
};
