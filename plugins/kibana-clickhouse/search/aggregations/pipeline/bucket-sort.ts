import { contentParseError, illegalArgument, unsupported } from '../../../common/errors/catalogue';
import { ElasticsearchError } from '../../../common/errors/elasticsearch-error';
import {
  isJsonArray,
  isJsonObject,
  type JsonObject,
  type JsonValue,
} from '../../../common/json/json';
import { parseField } from '../../request/parse-field';
import type { AggregationType, PipelineSurroundings } from '../definition';
import { checkOptions, integerOption, option, textOption, tokenType } from '../options';
import { keyMember } from './bucket-key';
import { bucketValue } from './bucket-value';
import { type GapPolicy, parseGapPolicy } from './gap-policy';
import { parentOf } from './over-values';
import { needsBuckets } from './placement';

const name = 'bucket_sort';

interface BucketOrder {
  readonly path: string;
  readonly descending: boolean;
}

interface BucketSortParams {
  readonly orders: readonly BucketOrder[];
  readonly from: number;
  readonly size: number | undefined;
  readonly gapPolicy: GapPolicy;
}

/**
 * `{"bucket_sort": {"sort": [{"bytes": {"order": "desc"}}], "from": 0, "size": 5}}`: puts buckets in another order and cuts them;
 * a bucket whose values are all gaps is left out (Elasticsearch 7.17 `BucketSortPipelineAggregator`). Refused: options of a
 * sort beyond `order`.
 */
export const bucketSort: AggregationType = {
  name,
  parse(body, aggregation) {
    checkOptions(name, body, { used: ['sort', 'from', 'size', 'gap_policy'] });
    const params = asBuilt(body, () => parseBucketSort(body));
    const { orders, from, size } = params;
    return {
      family: 'pipeline',
      type: name,
      params,
      paths: orders.map(({ path }) => path),
      validate: (surroundings) => {
        const problems = needsBuckets(name, aggregation)(surroundings);
        if (orders.length > 0 || size !== undefined || from !== 0) return problems;
        return [
          ...problems,
          `[${aggregation}] is configured to perform nothing. Please set either of [sort, size, from] to use bucket_sort`,
        ];
      },
      overBuckets: (_, buckets, surroundings) =>
        (orders.length === 0 ? buckets : sorted(buckets, params, surroundings)).slice(
          from,
          size === undefined ? undefined : from + size,
        ),
    };
  },
};

/** Without `sort` Elasticsearch's parser reads the other options when it builds the aggregation, and says so. */
function asBuilt<T>(body: JsonObject, parse: () => T): T {
  try {
    return parse();
  } catch (error) {
    const isWrapped = error instanceof ElasticsearchError && error.type === wrapped;
    if (!isWrapped || option(body, 'sort') !== undefined) throw error;
    const { message: reason, causes } = error;
    throw contentParseError(`failed to build [${name}] after last required field arrived`, [
      { type: wrapped, reason },
      ...causes,
    ]);
  }
}

const wrapped = 'x_content_parse_exception';

function parseBucketSort(body: JsonObject): BucketSortParams {
  const policy = textOption(body, 'gap_policy', name);
  const sort = option(body, 'sort');
  return {
    orders: sort === undefined ? [] : (isJsonArray(sort) ? sort : [sort]).flatMap(parseOrders),
    from: parseField(name, 'from', () => {
      const from = integerOption(body, 'from', name) ?? 0;
      if (from >= 0) return from;
      throw illegalArgument(`[from] must be a non-negative integer: [${String(from)}]`);
    }),
    size: parseField(name, 'size', () => {
      const size = integerOption(body, 'size', name);
      if (size === undefined || size > 0) return size;
      throw illegalArgument(`[size] must be a positive integer: [${String(size)}]`);
    }),
    gapPolicy:
      policy === undefined ? 'skip' : parseField(name, 'gap_policy', () => parseGapPolicy(policy)),
  };
}

function parseOrders(item: JsonValue): readonly BucketOrder[] {
  // as of hits: by score the best first
  if (typeof item === 'string') return [{ path: item, descending: item === '_score' }];
  if (!isJsonObject(item)) throw unsupported(`[${tokenType(item)}] in the sort of [${name}]`);
  return Object.entries(item).map(([path, value]) => ({ path, descending: isDescending(value) }));
}

function isDescending(value: JsonValue): boolean {
  const order = isJsonObject(value) ? (value['order'] ?? 'asc') : value;
  const unknown = isJsonObject(value) && Object.keys(value).find((key) => key !== 'order');
  if (typeof unknown === 'string')
    throw unsupported(`option [${unknown}] in the sort of [${name}]`);
  const text = typeof order === 'string' ? order.toLowerCase() : '';
  if (text !== 'asc' && text !== 'desc')
    throw unsupported(`such an order in the sort of [${name}]`);
  return text === 'desc';
}

type SortValue = number | string;

interface SortedBucket {
  readonly bucket: JsonObject;
  /** Per order; undefined for a gap. */
  readonly values: readonly (SortValue | undefined)[];
}

function sorted(
  buckets: readonly JsonObject[],
  { orders, gapPolicy }: BucketSortParams,
  surroundings: PipelineSurroundings,
): readonly JsonObject[] {
  const scope = { owner: parentOf(surroundings), context: surroundings.context };
  const valueOf = (bucket: JsonObject, path: string): SortValue | undefined => {
    if (path === '_key') return keyOf(bucket);
    const value = bucketValue(bucket, path, gapPolicy, scope);
    return value === undefined || Number.isNaN(value) ? undefined : value;
  };
  return buckets
    .map((bucket): SortedBucket => ({
      bucket,
      values: orders.map(({ path }) => valueOf(bucket, path)),
    }))
    .filter(({ values }) => values.some((value) => value !== undefined))
    .sort((a, b) => compareBuckets(a, b, orders))
    .map(({ bucket }) => bucket);
}

function keyOf({ key, [keyMember]: own }: JsonObject): SortValue {
  const found = key ?? own;
  if (typeof found === 'string' || typeof found === 'number') return found;
  if (typeof found === 'bigint') return Number(found);
  throw unsupported(`[${name}] by such keys`);
}

function compareBuckets(a: SortedBucket, b: SortedBucket, orders: readonly BucketOrder[]): number {
  for (const [i, { descending }] of orders.entries()) {
    const [left, right] = [a.values[i], b.values[i]];
    if (left === right) continue;
    if (left === undefined) return 1;
    if (right === undefined) return -1;
    return left < right === descending ? 1 : -1;
  }
  return 0;
}
