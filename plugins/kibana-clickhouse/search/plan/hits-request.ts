import type { AggregationContext, HitsNode } from '../aggregations/definition';
import { highlightedFields } from '../highlight/highlighted-fields';
import type { HitsRequest } from '../hits/plan-hits';

/**
 * What an aggregation asks of its hits. Those that name no `fields` show those of the search (Elasticsearch 7.17
 * `SubSearchContext`, which has none of its own); what they show as found is what the search's query looks for, whatever
 * filters are around.
 */
export function hitsRequest(
  { params, highlight }: HitsNode,
  context: AggregationContext,
): HitsRequest {
  const { hitFields = [], scoring = false, query } = context;
  const request = { ...params, query: { scoring } };
  if (!highlight) return request;
  return {
    ...request,
    fields: params.fields.length > 0 ? params.fields : hitFields,
    ...(query && { highlighted: highlightedFields(highlight, query, context) }),
  };
}
