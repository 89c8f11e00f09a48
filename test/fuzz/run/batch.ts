import * as fc from 'fast-check';
import type { Oracle } from '../../oracle/oracle';
import { documents as arbitraryDocuments } from '../documents/documents';
import { type FuzzDocuments, datasetOf } from '../documents/field';
import type { FeatureSet } from '../feature-sets';
import type { FuzzRequest } from '../requests/context';
import { requests as arbitraryRequests } from '../requests/requests';
import { restrict } from '../requests/restrict';

/** Searches on one set of documents. */
export const searchesPerBatch = 200;

/** Documents that both servers hold, and the searches on them; all of it decided by the seed. */
export interface Batch {
  readonly documents: FuzzDocuments;
  /** Name of index and table. */
  readonly index: string;
  readonly searches: readonly FuzzRequest[];
  /** Takes the documents away from both servers. */
  readonly remove: () => Promise<void>;
}

/** The seed of one batch of a run: runs whose seeds are neighbours share none. 31 bits are what fast-check tells apart. */
const seedOf = (runSeed: number, number: number): number => (runSeed * 1000 + number) % 2 ** 31;

/** What the searches of a run are made from. */
export interface BatchOptions {
  readonly seed: number;
  readonly features: FeatureSet;
}

/** Makes the documents and searches of a run's batch, from 0 on, and loads the documents into both servers. */
export async function loadBatch(
  oracle: Oracle,
  options: BatchOptions,
  number: number,
): Promise<Batch> {
  const seed = seedOf(options.seed, number);
  const [documents] = fc.sample(arbitraryDocuments, { seed, numRuns: 1 });
  if (documents === undefined) throw new TypeError('a sample of one has one');
  const index = `fuzz-${String(seed)}`;
  const dataset = datasetOf(documents, index);
  await oracle.load(dataset);
  return {
    documents,
    index,
    searches: fc
      .sample(arbitraryRequests(documents), { seed, numRuns: searchesPerBatch })
      .map((request) => restrict(request, documents, options.features)),
    remove: () => oracle.remove(dataset),
  };
}
