import { illegalArgument } from '../../common/errors/catalogue';
import type { JsonValue } from '../../common/json/json';
import { listParameter, toStrings } from './coerce';

/**
 * The names of `stored_fields`, of the body or the query string; undefined where neither has it. Columns are not stored
 * fields: naming them changes nothing but `_source`, which comes only when it is asked for then (Elasticsearch 7.17,
 * `FetchPhase`).
 */
export function storedFields(
  value: JsonValue | undefined,
  parameter: string | undefined,
): readonly string[] | undefined {
  const names = parameter === undefined ? value : listParameter(parameter);
  if (names === undefined) return undefined;
  const fields = toStrings(names, 'stored_fields');
  if (fields.length > 1 && fields.includes('_none_'))
    throw illegalArgument('cannot combine _none_ with other fields');
  return fields;
}
