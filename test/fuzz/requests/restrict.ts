import {
  type JsonObject,
  type JsonValue,
  isJsonArray,
  isJsonObject,
} from '../../../plugins/kibana-clickhouse/common/json/json';
import { type FuzzDocuments, uniqueField } from '../documents/field';
import type { FeatureSet } from '../feature-sets';
import type { FuzzRequest } from './context';

type Fields = Pick<FuzzDocuments, 'fields'>;

/**
 * The search with what a feature set lacks put right: a clause is replaced by one that tests whether its field exists, an
 * aggregation by the mean of its field, or by terms where others stand below it, so that the tree keeps its form.
 */
export function restrict(
  { parameters, body }: FuzzRequest,
  documents: Fields,
  features: FeatureSet,
): FuzzRequest {
  if (features === undefined) return { parameters, body };
  const { query, aggs } = body;
  return {
    parameters,
    body: {
      ...body,
      ...(query !== undefined && { query: restrictQuery(query, features) }),
      ...(aggs !== undefined && { aggs: restrictAggregations(aggs, documents, features) }),
    },
  };
}

type Features = Exclude<FeatureSet, undefined>;

function restrictQuery(query: JsonValue, features: Features): JsonValue {
  if (!isJsonObject(query)) return query;
  const [name, params] = Object.entries(query)[0] ?? [];
  if (name === undefined) return query;
  if (!features.has(`query.${name}`)) return plainClause(features);
  const own = isJsonObject(params) ? params : {};
  if (name === 'bool') return { bool: restrictClauses(own, features) };
  return name === 'constant_score' && own['filter'] !== undefined
    ? { constant_score: { ...own, filter: restrictQuery(own['filter'], features) } }
    : query;
}

const restrictClauses = (bool: JsonObject, features: Features): JsonObject =>
  Object.fromEntries(
    Object.entries(bool).map(([key, value]) => [
      key,
      isJsonArray(value)
        ? value.map((one) => restrictQuery(one, features))
        : restrictQuery(value, features),
    ]),
  );

/** A clause that most documents match. */
const plainClause = (features: Features): JsonObject =>
  features.has('query.exists') ? { exists: { field: '@timestamp' } } : { match_all: {} };

function restrictAggregations(aggs: JsonValue, documents: Fields, features: Features): JsonValue {
  if (!isJsonObject(aggs)) return aggs;
  return Object.fromEntries(
    Object.entries(aggs).map(([name, definition]) => [
      name,
      isJsonObject(definition) ? restrictOne(definition, documents, features) : definition,
    ]),
  );
}

const besideType: readonly string[] = ['aggs', 'meta'];

function restrictOne(definition: JsonObject, documents: Fields, features: Features): JsonObject {
  const { aggs, meta } = definition;
  const [type, params = null] =
    Object.entries(definition).find(([key]) => !besideType.includes(key)) ?? [];
  if (type === undefined) return definition;
  const own = features.has(`aggregation.${type}`)
    ? { [type]: params }
    : replacement(params, aggs !== undefined, documents);
  return {
    ...own,
    ...(aggs !== undefined && { aggs: restrictAggregations(aggs, documents, features) }),
    ...(meta !== undefined && { meta }),
  };
}

function replacement(params: JsonValue, hasChildren: boolean, { fields }: Fields): JsonObject {
  const named = isJsonObject(params) ? params['field'] : undefined;
  const kind = fields.find(({ name }) => name === named)?.kind ?? 'text';
  const field = kind === 'text' ? uniqueField : (named ?? uniqueField);
  if (hasChildren) return { terms: { field } };
  return { avg: { field: ['keyword', 'ip'].includes(kind) ? uniqueField : field } };
}
