/** Elasticsearch's default of `search.max_buckets`: buckets of all levels of an answer together. */
export const maxBuckets = 65_536;
