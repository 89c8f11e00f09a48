import type { AggregationContext } from './definition';

/** Elasticsearch's default of `search.max_buckets`: buckets of all levels of an answer together. */
const standard = 65_536;

/** Buckets that an answer may have, those of all levels together. */
export const maxBuckets = ({
  maxBuckets: most = standard,
}: Pick<AggregationContext, 'maxBuckets'>): number => most;
