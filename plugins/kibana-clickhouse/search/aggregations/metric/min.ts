import { overValues } from '../numeric-values';
import { singleValueMetric } from './single-value';

/**
 * `{"min": {"field": "bytes"}}`: the least value as a double, null of none; in an order nothing counts as infinity
 * (Elasticsearch 7.17 `MinAggregator`).
 */
export const min = singleValueMetric({
  name: 'min',
  column: (values) => overValues('minOrNull', values),
  scaling: 'value',
  none: null,
  orderMissing: Infinity,
});
