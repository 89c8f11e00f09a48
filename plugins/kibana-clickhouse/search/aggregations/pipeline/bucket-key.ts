import { unsupported } from '../../../common/errors/catalogue';
import {
  isJsonArray,
  isJsonObject,
  type JsonObject,
  type JsonValue,
} from '../../../common/json/json';
import type { AggregationContext, NamedAggregation } from '../definition';
import { javaDouble } from '../../values/java-double';

/** Where a bucket of an answer by key carries that key while pipelines work on it. No JSON of an answer has it. */
export const keyMember = '\u0000key';

/** The buckets of an aggregation's answer, listed or by key; undefined where it has none. */
export function bucketsOf({ buckets }: JsonObject): readonly JsonObject[] | undefined {
  if (isJsonArray(buckets)) return buckets.filter(isJsonObject);
  if (!isJsonObject(buckets)) return undefined;
  return Object.entries(buckets).map(([key, bucket]) => ({
    ...(isJsonObject(bucket) ? bucket : {}),
    [keyMember]: key,
  }));
}

const floating: readonly (string | undefined)[] = ['double', 'float'];

/**
 * The text of a bucket's key (Elasticsearch 7.17 `getKeyAsString`); `position` counts for filters without names. Refuses
 * what has no such text here: composite keys, and filters without names of which a pipeline has taken some away.
 */
export function keyText(
  bucket: JsonObject,
  position: number,
  { node, subs, name }: NamedAggregation,
  context: AggregationContext,
): string {
  const { key, key_as_string: text, [keyMember]: own } = bucket;
  if (typeof text === 'string') return text;
  if (typeof key === 'number')
    return node.type === 'histogram' || floating.includes(keyType(node.params, context))
      ? javaDouble(key)
      : String(key);
  if (typeof key === 'string' || typeof key === 'bigint') return String(key);
  if (typeof own === 'string') return own;
  if (key === undefined && !subs.some((sub) => thinning.includes(sub.node.type)))
    return String(position);
  throw unsupported(`the keys of [${name}] in a buckets_path`);
}

const thinning: readonly string[] = ['bucket_sort', 'bucket_selector'];

function keyType(params: unknown, context: AggregationContext): string | undefined {
  const field = (params as { readonly field?: JsonValue } | undefined)?.field;
  return typeof field === 'string' ? context.table.field(field)?.type : undefined;
}
