import { bucketsPathError, reduceArgument, unsupported } from '../../../common/errors/catalogue';
import {
  isJsonArray,
  isJsonObject,
  type JsonObject,
  type JsonValue,
} from '../../../common/json/json';
import type { AggregationContext, NamedAggregation } from '../definition';
import { doubleOf } from '../options';
import { bucketsOf, keyText } from './bucket-key';
import { pathNames } from './buckets-path';
import { type GapPolicy, withoutGap } from './gap-policy';

/** What a path leads to that is no number: `what` names it as Elasticsearch names its class. */
interface Thing {
  readonly what: string;
  /** Whether it has several numbers, of which the path names none. */
  readonly several?: boolean;
}

/** A number (NaN: none); a thing that is none; undefined: the path leads nowhere in this bucket. */
type Resolved = number | Thing | undefined;

/** What a buckets path is followed in. */
export interface PathScope {
  /** The aggregation that has the bucket. */
  readonly owner: NamedAggregation;
  readonly context: AggregationContext;
}

/**
 * The number that a buckets path leads to from a bucket, gaps treated by the policy: NaN for a gap, undefined where the
 * path leads nowhere in this bucket (Elasticsearch 7.17 `BucketHelpers.resolveBucketValue`). Takes a path as text or in
 * names; throws for a path to what is no number.
 */
export function bucketValue(
  bucket: JsonObject,
  path: string | readonly string[],
  policy: GapPolicy,
  scope: PathScope,
): number | undefined {
  const names = typeof path === 'string' ? pathNames(path) : path;
  const found = inBucket(bucket, names, scope);
  if (found === undefined) return undefined;
  if (typeof found !== 'number') throw noNumber(found, names[0] ?? scope.owner.name);
  // there is always a count of documents
  if (names.length === 1 && names[0] === '_count') return found;
  return withoutGap(policy, found, numberOf(bucket['doc_count']));
}

const noNumber = ({ what, several }: Thing, name: string): Error =>
  bucketsPathError(
    `buckets_path must reference either a number value or a single value numeric metric aggregation, ${
      several === true
        ? `but [${name}] contains multiple values. Please specify which to use.`
        : `got: [${what}] at aggregation [${name}]`
    }`,
  );

/** A number of an answer; null is NaN, which Elasticsearch also writes as text. */
export function numberOf(value: JsonValue | undefined): number {
  if (typeof value === 'number' || typeof value === 'bigint') return Number(value);
  return typeof value === 'string' && value !== '' ? Number(value) : NaN;
}

function inBucket(bucket: JsonObject, path: readonly string[], scope: PathScope): Resolved {
  const [name, ...rest] = path;
  if (name === undefined) return { what: 'Bucket' };
  if (name === '_count') return rest.length > 0 ? undefined : numberOf(bucket['doc_count']);
  if (name === '_key') return rest.length > 0 ? undefined : keyOf(bucket, scope.owner);
  return inContent(bucket, name, rest, scope);
}

const keyOf = ({ key }: JsonObject, { node }: NamedAggregation): Resolved => {
  if (node.type.endsWith('date_histogram')) return { what: 'ZonedDateTime' };
  return typeof key === 'number' ? key : { what: 'String' };
};

function inContent(
  content: JsonObject,
  name: string,
  rest: readonly string[],
  { owner, context }: PathScope,
): Resolved {
  const named = owner.subs.find((sub) => sub.name === name);
  const answer = content[name];
  if (!named || !isJsonObject(answer)) return undefined;
  const listed = bucketsOf(answer);
  const scope = { owner: named, context };
  if (listed) return amongBuckets(listed, rest, scope);
  if (['bucket', 'fixed', 'global'].includes(named.node.family))
    return inSingle(answer, rest, scope);
  return inMetric(answer, rest, named);
}

function amongBuckets(
  buckets: readonly JsonObject[],
  [name, ...rest]: readonly string[],
  scope: PathScope,
): Resolved {
  if (name === undefined) return { what: className(scope.owner, buckets) };
  if (name === '_bucket_count') return buckets.length;
  if (!name.startsWith("'") || !name.endsWith("'")) return { what: 'Object[]' };
  const wanted = name.slice(1, -1);
  const found = buckets.find(
    (bucket, i) => keyText(bucket, i, scope.owner, scope.context) === wanted,
  );
  return found && inBucket(found, rest, scope);
}

function inSingle(answer: JsonObject, path: readonly string[], scope: PathScope): Resolved {
  const { owner } = scope;
  const [name, ...rest] = path;
  if (name === undefined) return { what: className(owner, []) };
  if (name === '_count' && rest.length === 0) return numberOf(answer['doc_count']);
  const found = inContent(answer, name, rest, scope);
  if (found === undefined)
    throw reduceArgument(`Cannot find an aggregation named [${name}] in [${owner.name}]`);
  return found;
}

/** Names of classes that errors show; terms are told by their keys. */
function className({ node: { type } }: NamedAggregation, [bucket]: readonly JsonObject[]): string {
  const words = type.split('_').map((word) => word.charAt(0).toUpperCase() + word.slice(1));
  if (type !== 'terms') return `Internal${words.join('')}`;
  return typeof bucket?.['key'] === 'number' ? 'LongTerms' : 'StringTerms';
}

function inMetric(answer: JsonObject, path: readonly string[], named: NamedAggregation): Resolved {
  const { type } = named.node;
  const { values } = answer;
  const hasPoints = isJsonObject(values) || isJsonArray(values);
  const isStats = 'count' in answer && 'sum' in answer;
  if (!hasPoints && !isStats) return inValue(answer, path, named);
  if (path.length === 0) return severalOf(type);
  const key = path.join('.');
  return hasPoints ? atPoint(values, key, type) : ofStats(answer, key, type);
}

function inValue(
  answer: JsonObject,
  path: readonly string[],
  { name, node: { type } }: NamedAggregation,
): number {
  const key = path.join('.');
  if (!('value' in answer)) throw unsupported(`a buckets_path to aggregation [${type}]`);
  if (key === '' || key === 'value') return numberOf(answer['value']);
  if (key === 'normalized_value' && type === 'derivative')
    return numberOf(answer[key] ?? answer['value']);
  throw reduceArgument(`path not supported for [${name}]: [${path.join(', ')}]`);
}

const severalOf = (type: string): Thing => ({ what: type, several: true });

/** One of the percentiles that were asked for: of others Elasticsearch makes an estimate out of its digest. */
function atPoint(values: JsonValue, key: string, type: string): number {
  const point = doubleOf(key);
  const entries = isJsonObject(values)
    ? Object.entries(values)
    : isJsonArray(values)
      ? values.filter(isJsonObject).map((item) => [item['key'], item['value']] as const)
      : [];
  const found = entries.find(([known]) => Number(known) === point);
  if (found) return numberOf(found[1]);
  throw unsupported(`a buckets_path to [${key}] of [${type}], which is not asked for`);
}

function ofStats(answer: JsonObject, key: string, type: string): number {
  const bounds = answer['std_deviation_bounds'];
  const bound = /^std_((?:upper|lower)(?:_population|_sampling)?)$/.exec(key)?.[1];
  const found = bound !== undefined && isJsonObject(bounds) ? bounds[bound] : answer[key];
  if (found !== undefined && !isJsonObject(found) && !key.endsWith('_as_string'))
    return numberOf(found);
  const kind =
    type === 'stats' || type === 'stats_bucket' ? 'InternalStats' : 'InternalExtendedStats';
  throw reduceArgument(
    `No enum constant org.elasticsearch.search.aggregations.metrics.${kind}.Metrics.${key}`,
  );
}
