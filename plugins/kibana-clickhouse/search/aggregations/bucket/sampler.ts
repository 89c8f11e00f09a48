import { alwaysTrue } from '../../../clickhouse/sql/build';
import { illegalArgument, parsingError } from '../../../common/errors/catalogue';
import type { AggregationContext, AggregationType, FixedBucket } from '../definition';
import { checkOptions, doubleOption, integerOption } from '../options';
import { singleBucket } from './single-bucket';

/**
 * `{"sampler": {"shard_size": 5000}}`: in Elasticsearch the best documents of each shard, up to `shard_size`; here all of
 * them, whose figures are those that the sample stands for.
 */
export const sampler: AggregationType = {
  name: 'sampler',
  parse(body, aggregation) {
    const unknown = Object.keys(body).find((key) => key !== 'shard_size');
    if (unknown !== undefined)
      // without the last quote, as Elasticsearch 7.17 writes it
      throw parsingError(`Unsupported property "${unknown}" for aggregation "${aggregation}`);
    const size = integerOption(body, 'shard_size', 'sampler') ?? 100;
    return singleBucket('sampler', { size }, () => alwaysTrue);
  },
};

/**
 * `{"random_sampler": {"probability": 0.1, "seed": 42}}` (Elasticsearch 8): in Elasticsearch a part of the documents, by which
 * counts and sums are scaled up; here all of them, so that the figures are exact.
 */
export const randomSampler: AggregationType = {
  name: 'random_sampler',
  parse(body) {
    const name = 'random_sampler';
    checkOptions(name, body, { used: ['probability', 'seed', 'shard_seed'] });
    const probability = doubleOption(body, 'probability', name);
    if (probability === undefined) throw illegalArgument('Required [probability]');
    if (!(probability > 0 && (probability <= 0.5 || probability === 1)))
      throw illegalArgument(
        `[probability] must be between 0.0 and 0.5 or exactly 1.0, was [${String(probability)}]`,
      );
    const seed = integerOption(body, 'seed', name) ?? 0;
    const node = singleBucket(name, { probability, seed }, () => alwaysTrue);
    return {
      ...node,
      assemble: (buckets: readonly FixedBucket[], context: AggregationContext) => ({
        seed,
        probability,
        ...node.assemble(buckets, context),
      }),
    };
  },
};
