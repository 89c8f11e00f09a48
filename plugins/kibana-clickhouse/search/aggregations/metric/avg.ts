import { binary } from '../../../clickhouse/sql/build';
import { overValues } from '../numeric-values';
import { singleValueMetric } from './single-value';

/**
 * `{"avg": {"field": "bytes"}}`: the mean of all values, null of none. Of several values in a document each counts; dates are
 * averaged as epoch ms. The sum is added with Kahan's compensation, as Elasticsearch 7.17 adds (`CompensatedSum`): large
 * values that cancel out leave the small ones, where ClickHouse's `avg` loses them.
 */
export const avg = singleValueMetric({
  name: 'avg',
  column: (values) =>
    binary('/', overValues('sumKahanOrNull', values), overValues('count', values)),
  scaling: 'value',
  none: null,
  orderMissing: 'last',
});
