import { overValues } from '../numeric-values';
import { singleValueMetric } from './single-value';

/**
 * `{"max": {"field": "bytes"}}`: the largest value as a double, null of none; in an order nothing counts as minus infinity
 * (Elasticsearch 7.17 `MaxAggregator`).
 */
export const max = singleValueMetric({
  name: 'max',
  column: (values) => overValues('maxOrNull', values),
  scaling: 'value',
  none: null,
  orderMissing: -Infinity,
});
