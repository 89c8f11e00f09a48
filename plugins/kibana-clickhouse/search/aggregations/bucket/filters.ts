import { not, or } from '../../../clickhouse/sql/build';
import { illegalArgument, parsingError } from '../../../common/errors/catalogue';
import { isJsonArray, isJsonObject, type JsonObject } from '../../../common/json/json';
import type { QueryNode } from '../../queries/definition';
import { parseQuery } from '../../queries/registry';
import type { AggregationType, FixedBucket } from '../definition';
import { booleanOption, option, textOption, tokenType } from '../options';

const name = 'filters';

interface FiltersParams {
  /** Absent: without names, in the request's order. */
  readonly names: readonly string[] | undefined;
  readonly queries: readonly QueryNode[];
  /** The name of the bucket of what matches none of them; absent: there is none. */
  readonly other: string | undefined;
}

/**
 * `{"filters": {"filters": {"errors": {…}, "slow": {…}}, "other_bucket_key": "rest"}}`: a bucket for each query, by name in the
 * order of names, or in a list as the request has them; `other_bucket` adds the documents that match none (Elasticsearch
 * 7.17 `FiltersAggregationBuilder`).
 */
export const filters: AggregationType = {
  name,
  parse(body, aggregation) {
    const params = parseFilters(body, aggregation);
    const { names, queries, other } = params;
    return {
      family: 'fixed',
      type: name,
      params,
      single: false,
      conditions: (context) => {
        const conditions = queries.map((query) => query.toCondition(context));
        return other === undefined ? conditions : [...conditions, not(or(conditions))];
      },
      assemble: (buckets) => {
        const written = buckets.map(writeBucket);
        if (names === undefined) return { buckets: written };
        const keys = other === undefined ? names : [...names, other];
        return { buckets: Object.fromEntries(keys.map((key, i) => [key, written[i] ?? {}])) };
      },
    };
  },
};

const writeBucket = ({ docCount, subs }: FixedBucket): JsonObject => ({
  doc_count: docCount,
  ...subs,
});

function parseFilters(body: JsonObject, aggregation: string): FiltersParams {
  for (const [key, value] of Object.entries(body)) {
    if (!['filters', 'other_bucket', 'other_bucket_key'].includes(key))
      throw parsingError(`Unknown key for a ${tokenType(value)} in [${aggregation}]: [${key}].`);
  }
  const given = option(body, 'filters');
  const named = isJsonObject(given)
    ? // Elasticsearch sorts by UTF-16 units, as JavaScript does
      Object.entries(given).sort(([a], [b]) => (a < b ? -1 : Number(a > b)))
    : undefined;
  const queries = named?.map(([, query]) => query) ?? (isJsonArray(given) ? given : []);
  if (queries.length === 0) throw illegalArgument('[filters] cannot be empty.');
  return {
    names: named?.map(([key]) => key),
    queries: queries.map(parseQuery),
    other: parseOther(body),
  };
}

/** A key alone asks for the bucket, too. */
function parseOther(body: JsonObject): string | undefined {
  const key = textOption(body, 'other_bucket_key', name);
  const wanted = booleanOption(body, 'other_bucket', name) ?? key !== undefined;
  return wanted ? (key ?? '_other_') : undefined;
}
