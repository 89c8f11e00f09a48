import * as fc from 'fast-check';
import type { FuzzDocuments } from '../documents/field';
import { aggregations } from './aggregations';
import { type FuzzRequest, options } from './context';
import { hitOptions, parameters } from './hits';
import { queries } from './queries';

/** Searches on documents, made as Kibana mixes them: nearly all with a query, most with aggregations, many with hits. */
export function requests(documents: FuzzDocuments): fc.Arbitrary<FuzzRequest> {
  const query = options({ query: queries(documents) }, ['query']);
  const body = fc.oneof(
    { weight: 5, arbitrary: fc.tuple(query, aggregated(documents), fc.constant({ size: 0 })) },
    { weight: 2, arbitrary: fc.tuple(query, aggregated(documents), hitOptions(documents)) },
    { weight: 5, arbitrary: fc.tuple(query, hitOptions(documents)) },
    { weight: 1, arbitrary: fc.tuple(hitOptions(documents)) },
    { weight: 1, arbitrary: fc.tuple(aggregated(documents), fc.constant({ size: 0 })) },
  );
  return fc.tuple(body, parameters(documents)).map(([parts, given]) => ({
    parameters: given,
    body: Object.assign({}, ...parts) as FuzzRequest['body'],
  }));
}

const aggregated = (documents: FuzzDocuments) =>
  options({ aggs: aggregations(documents) }, ['aggs']);
