import { illegalArgument, numberFormatError, parsingError } from '../../../common/errors/catalogue';
import type { JsonValue } from '../../../common/json/json';
import { toStrings } from '../../request/coerce';
import { stringOf } from '../../values/field-value';
import { requireTextLength } from '../options';

/** Where words without a field are looked for. */
export interface DefaultFields {
  /** Names and patterns; `*` where the clause names none (`index.query.default_field` of Elasticsearch). */
  readonly fields: readonly string[];
  /** Whether values that do not fit are forgiven where `lenient` is not said: where the fields are all there are. */
  readonly forgiving: boolean;
}

/** The fields of a clause's `fields`, or of its `default_field`, or all. */
export function defaultFields(named: readonly string[]): DefaultFields {
  const fields = named.length > 0 ? named : ['*'];
  return { fields, forgiving: fields.includes('*') };
}

/** The names in `fields`, boosts (`host^2`) taken away. Throws Elasticsearch's error for a boost that is none. */
export function fieldNames(clause: string, value: JsonValue): readonly string[] {
  if (!Array.isArray(value)) throw parsingError(`[${clause}] query does not support [fields]`);
  return toStrings(value as readonly JsonValue[], 'fields').map(withoutBoost);
}

function withoutBoost(name: string): string {
  const [field = '', ...rest] = name.split('^');
  if (rest.length === 0) return field;
  const boost = rest.join('^');
  if (!/^[+-]?(?:\d+\.?\d*|\.\d+)(?:[eE][+-]?\d+)?$/.test(boost))
    throw numberFormatError(boost === '' ? 'empty String' : `For input string: "${boost}"`);
  if (Number(boost) < 0)
    throw illegalArgument(
      'negative [boost] are not allowed in query, use a value between 0 and 1 to deboost',
    );
  return field;
}

/** The text of a query; refuses one of more than 1,000,000 characters. */
export function queryText(clause: string, value: JsonValue): string {
  const text = stringOf(value);
  requireTextLength(clause, text);
  return text;
}
