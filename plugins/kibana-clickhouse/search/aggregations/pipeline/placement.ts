import type { PipelineSurroundings } from '../definition';

/** What Elasticsearch 7.17 says of a pipeline that must stand in another aggregation and stands at the top. */
export const needsParent =
  (type: string, aggregation: string) =>
  ({ parent }: PipelineSurroundings): readonly string[] =>
    parent === undefined
      ? [`${type} aggregation [${aggregation}] must be declared inside of another aggregation`]
      : [];

const histograms: readonly string[] = ['histogram', 'date_histogram', 'auto_date_histogram'];

/** The same of one that needs buckets in a row, without gaps (`validateParentAggSequentiallyOrdered`). */
export const needsHistogram =
  (type: string, aggregation: string) =>
  ({ parent }: PipelineSurroundings): readonly string[] => {
    const rule = `${type} aggregation [${aggregation}] must have a histogram, date_histogram or auto_date_histogram as parent`;
    if (parent === undefined) return [`${rule} but doesn't have a parent`];
    if (!histograms.includes(parent.node.type)) return [rule];
    const least = (parent.node.params as { readonly minDocCount?: number }).minDocCount ?? 0;
    return least === 0
      ? []
      : [`parent histogram of ${type} aggregation [${aggregation}] must have min_doc_count of 0`];
  };

/** The same as `needsParent`, and the parent must have buckets, where Elasticsearch 7.17 fails with a 500. */
export const needsBuckets =
  (type: string, aggregation: string) =>
  (surroundings: PipelineSurroundings): readonly string[] => {
    const { parent } = surroundings;
    const isSingle =
      parent?.node.family === 'global' || (parent?.node.family === 'fixed' && parent.node.single);
    return isSingle
      ? [
          `${type} aggregation [${aggregation}] must be declared inside of an aggregation of buckets`,
        ]
      : needsParent(type, aggregation)(surroundings);
  };

/** What Elasticsearch 7.17 says of a list of paths that is none or several. */
export const singlePath = (paths: readonly string[], aggregation: string): readonly string[] =>
  paths.length === 1
    ? []
    : [`buckets_path must contain a single entry for aggregation [${aggregation}]`];
