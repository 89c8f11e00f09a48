import { shardIllegalArgument } from '../../common/errors/catalogue';
import type { NamedAggregation } from '../aggregations/definition';

/** Throws Elasticsearch's error for a `rate` that has no bucket of dates around it. */
export function checkRates(aggregations: readonly NamedAggregation[]): void {
  for (const { node, subs } of aggregations) {
    if (node.type === 'rate')
      throw shardIllegalArgument(
        'The rate aggregation can only be used inside a date histogram aggregation or composite aggregation with exactly one date histogram value source',
      );
    if (node.family !== 'bucket' || !node.rounding) checkRates(subs);
  }
}
