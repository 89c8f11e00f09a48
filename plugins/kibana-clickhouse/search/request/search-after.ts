import { illegalArgument, parsingError } from '../../common/errors/catalogue';
import { type JsonValue, isJsonArray } from '../../common/json/json';
import { tokenName } from './coerce';

/**
 * `search_after`: the sort values of a hit (Elasticsearch 7.17 SearchAfterBuilder). Whether they fit the sort is known with the
 * table only. Throws a 400 for none, and for lists and objects among them.
 */
export function parseSearchAfter(value: JsonValue | undefined): {
  readonly searchAfter?: readonly JsonValue[];
} {
  if (value === undefined || !isJsonArray(value)) return {};
  if (value.length === 0) throw illegalArgument('Values must contains at least one value.');
  for (const item of value) requireScalar(item);
  return { searchAfter: value };
}

function requireScalar(item: JsonValue): void {
  if (typeof item !== 'object' || item === null) return;
  throw parsingError(
    `Expected [VALUE_STRING] or [VALUE_NUMBER] or [VALUE_BOOLEAN] or [VALUE_NULL] but found [${tokenName(item)}] inside search_after.`,
  );
}
