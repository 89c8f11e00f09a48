import type { AggregationContext, HitsNode } from '../aggregations/definition';
import type { HitsRequest } from '../hits/plan-hits';

/**
 * What an aggregation asks of its hits. Those that name no `fields` show those of the search (Elasticsearch 7.17
 * `SubSearchContext`, which has none of its own).
 */
export const hitsRequest = (
  { params }: HitsNode,
  { hitFields = [], scoring = false }: AggregationContext,
): HitsRequest => ({
  ...params,
  fields: params.fields.length > 0 ? params.fields : hitFields,
  query: { scoring },
});
