import type { Field, Table } from '../../../clickhouse/catalog/table';
import { failedQuery } from '../../../common/errors/catalogue';
import { namePattern } from '../../request/name-pattern';
import { queriedField } from '../queried-field';

/** `indices.query.bool.max_clause_count` of Elasticsearch 7.17: a pattern may mean so many fields. */
const maximumFields = 1024;

/**
 * The fields that names and patterns with `*` mean in multi_match, query_string and simple_query_string, each once
 * (Elasticsearch 7.17 QueryParserHelper): a pattern means all fields that have terms, a name any field. Names that are
 * unmapped or objects mean none; a named field of an unsupported type is refused.
 */
export function searchedFields(table: Table, names: readonly string[]): readonly Field[] {
  const found = new Map<string, Field>();
  for (const name of names) for (const field of fieldsOf(table, name)) found.set(field.name, field);
  if (found.size > maximumFields)
    throw failedQuery(
      `field expansion matches too many fields, limit: ${String(maximumFields)}, got: ${String(found.size)}`,
    );
  return [...found.values()];
}

function fieldsOf(table: Table, name: string): readonly Field[] {
  if (name.includes('*')) {
    const matches = namePattern(name);
    return [...table.fields.values()].filter((field) => hasTerms(field) && matches(field.name));
  }
  const field = queriedField(table, name);
  return field === undefined ? [] : [field];
}

const hasTerms = ({ type, refusal }: Field): boolean =>
  refusal === undefined && type !== 'object' && type !== 'geo_point';
