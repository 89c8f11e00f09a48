import { type JsonValue, isJsonObject } from '../../common/json/json';

/**
 * The clauses of a list. Elasticsearch 7.17 (`AbstractQueryBuilder.parseInnerQueryBuilder`) takes a scalar for what stands in
 * front of a clause: `[null, {…}]` is one clause.
 */
export const listedClauses = (list: readonly JsonValue[]): readonly JsonValue[] =>
  list.filter((item, i) => !(isScalar(item) && isJsonObject(list[i + 1])));

const isScalar = (item: JsonValue): boolean => item === null || typeof item !== 'object';
