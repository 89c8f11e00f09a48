import { isJsonObject } from '../../../plugins/kibana-clickhouse/common/json/json';
import type { AggregationRewrite } from './definition';

/** `random_sampler` of all documents by a filter that keeps all. Without a seed it makes one, which nobody can foresee. */
export const randomSampler: AggregationRewrite = {
  type: 'random_sampler',
  judged: ({ probability }) => (probability === 1 ? { filter: { match_all: {} } } : undefined),
  restored: (answer, { seed }) =>
    isJsonObject(answer)
      ? { ...(seed !== undefined && { seed }), probability: 1, ...answer }
      : answer,
};
