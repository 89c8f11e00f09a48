import { avg } from '../../../plugins/kibana-clickhouse/search/aggregations/metric/avg';
import type {
  AggregationNode,
  MetricNode,
} from '../../../plugins/kibana-clickhouse/search/aggregations/definition';
import { samplingRate } from '../../../plugins/kibana-clickhouse/search/sampling/sampling-rate';
import { areEstimable } from '../../../plugins/kibana-clickhouse/search/sampling/scaled-columns';

test.each([
  [0, 1_000_000, 1],
  [1_000, 0, 1],
  [1_000, 1_000, 1],
  [1_000, 1_001, 0.999],
  [3, 9, 0.33333],
  [2, 3, 0.66667],
  [999_999, 1_000_000, 1],
  [1_500_000, 150_000_000, 0.01],
  [1_500_000, 50_000_000_000, 0.01],
])('a threshold of %d rows and %d that match: %d', (threshold, matching, rate) => {
  expect(samplingRate(threshold, matching)).toBe(rate);
});

test('a metric that does not say what sampling does to it keeps its search from being sampled, at any depth', () => {
  const declared = avg.parse({ field: 'bytes' }, 'a');
  const undeclared = { ...(declared as MetricNode) };
  Reflect.deleteProperty(undeclared, 'scaling');
  const named = (node: AggregationNode) => ({ name: 'a', node, subs: [] });
  const above = (node: AggregationNode) => ({
    name: 'b',
    node: { family: 'global', type: 'global', params: {}, assemble: () => ({}) } as AggregationNode,
    subs: [named(node)],
  });
  expect(areEstimable([named(declared), above(declared)])).toBe(true);
  expect(areEstimable([named(undeclared)])).toBe(false);
  expect(areEstimable([named(declared), above(undeclared)])).toBe(false);
});
