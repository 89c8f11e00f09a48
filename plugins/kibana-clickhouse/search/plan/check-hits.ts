import { shardIllegalArgument } from '../../common/errors/catalogue';
import type { AggregationContext, HitsNode, NamedAggregation } from '../aggregations/definition';
import { planContents } from '../hits/plan-hits';
import { hitsRequest } from './hits-request';

/** Elasticsearch's default of `index.max_inner_result_window`. */
const largestWindow = 100;

/**
 * Throws Elasticsearch's errors for hits of buckets, which come even where no bucket is: a page beyond the limit, a sort by what
 * cannot sort (7.17 `TopHitsAggregationBuilder.doBuild`).
 */
export function checkHits(
  { name }: NamedAggregation,
  node: HitsNode,
  context: AggregationContext,
): void {
  const { params } = node;
  const window = params.from + params.size;
  if (window > largestWindow)
    throw shardIllegalArgument(
      `Top hits result window is too large, the top hits aggregator [${name}]'s from + size must be less than or equal to: [${String(largestWindow)}] but was [${String(window)}]. This limit can be set by changing the [index.max_inner_result_window] index level setting.`,
    );
  if (window === 0)
    throw shardIllegalArgument(
      'numHits must be > 0; please use TotalHitCountCollector if you just need the total hit count',
    );
  planContents(hitsRequest(node, context), context.table);
}
