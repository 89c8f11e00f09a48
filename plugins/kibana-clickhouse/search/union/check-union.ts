import { unsupported } from '../../common/errors/catalogue';
import type { AggregationNode, NamedAggregation } from '../aggregations/definition';

/** Aggregations that read more of a table than the rows of the query and their values. */
const refused: ReadonlySet<string> = new Set([
  'global',
  'nested',
  'reverse_nested',
  'significant_terms',
  'significant_text',
  'top_hits',
  'top_metrics',
]);

/** Refuses by name what cannot be aggregated over several tables. */
export function checkUnion(aggregations: readonly NamedAggregation[]): void {
  for (const { node, subs } of aggregations) {
    if (refused.has(node.type))
      throw unsupported(`aggregation [${node.type}] in a search over several indexes`);
    if (listsTermsWithoutDocuments(node))
      throw unsupported(
        `[min_doc_count] 0 of aggregation [${node.type}] in a search over several indexes`,
      );
    checkUnion(subs);
  }
}

/** Their keys stand in rows that the query does not match. */
function listsTermsWithoutDocuments({ type, params }: AggregationNode): boolean {
  if (type !== 'terms' && type !== 'multi_terms') return false;
  return (
    typeof params === 'object' &&
    params !== null &&
    'minDocCount' in params &&
    params.minDocCount === 0
  );
}
