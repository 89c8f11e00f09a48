import { contentParseError, illegalArgument, parsingError } from '../../common/errors/catalogue';
import { type JsonValue, isJsonObject } from '../../common/json/json';
import { toInteger, tokenName } from '../request/coerce';
import { stringOf } from '../values/field-value';
import { booleanOption, checkCommonOption, clauseObject } from './options';

/** Reads one option of a clause into a part of its parameters. */
export type ReadOption<O> = (value: JsonValue, name: string) => Partial<O>;

/** A clause of the form `{"clause": {"field": value or {options}}}`. */
export interface FieldClauseShape<O> {
  readonly name: string;
  /** A value in place of the options; default: one that is not there. */
  readonly short: (value: JsonValue) => Partial<O>;
  readonly options: Readonly<Record<string, ReadOption<O>>>;
  /** What Elasticsearch calls null, an array or an object in place of an option's value; default: the option's own reader says. */
  readonly oddToken?: 'unknown' | 'unexpected';
  /** Options that may hold a list or an object all the same. */
  readonly lists?: readonly string[];
}

export interface ReadFieldClause<O> {
  /** Undefined where the clause names none. */
  readonly field: string | undefined;
  readonly options: Partial<O>;
}

/**
 * Reads such a clause as Elasticsearch's hand-written parsers (7.17) do: one field, known options, `boost` and `_name` among
 * them; of an option given twice the last one counts.
 */
export function readFieldClause<O>(
  shape: FieldClauseShape<O>,
  body: JsonValue,
): ReadFieldClause<O> {
  const entries = Object.entries(clauseObject(shape.name, body));
  const [first, second] = entries;
  if (first === undefined) return { field: undefined, options: {} };
  const [field, value] = first;
  const options = isJsonObject(value)
    ? readOptions(shape, value)
    : shape.short(scalar(shape.name, value));
  if (second !== undefined)
    throw parsingError(
      `[${shape.name}] query doesn't support multiple fields, found [${field}] and [${second[0]}]`,
    );
  return { field, options };
}

/** Reads the options of an object by their names. */
export function readOptions<O>(
  { name: clause, options, oddToken, lists = [] }: Omit<FieldClauseShape<O>, 'short'>,
  body: Readonly<Record<string, JsonValue>>,
): Partial<O> {
  let read: Partial<O> = {};
  for (const [key, value] of Object.entries(body)) {
    if (oddToken !== undefined && typeof value === 'object' && !lists.includes(key))
      throw parsingError(`[${clause}] ${oddToken} token [${tokenName(value)}] after [${key}]`);
    if (key === 'boost' || key === '_name') checkCommonOption(key, value);
    else {
      const option = options[key];
      if (option === undefined) throw parsingError(`[${clause}] query does not support [${key}]`);
      read = { ...read, ...option(value, key) };
    }
  }
  return read;
}

/** A value that is no array and no object; Elasticsearch 7.17 answers 500 to those. */
function scalar(clause: string, value: JsonValue): JsonValue {
  if (value !== null && typeof value === 'object')
    throw parsingError(`[${clause}] query does not support [${tokenName(value)}]`);
  return value;
}

/** A string option; numbers and booleans count as their text. */
export function text(clause: string, value: JsonValue): string {
  if (value === null || typeof value === 'object')
    throw parsingError(`[${clause}] unexpected token [${tokenName(value)}]: a string is expected`);
  return stringOf(value);
}

/** An integer option that must not be below a limit, with Elasticsearch's words for that. */
export function integerFrom(
  value: JsonValue,
  name: string,
  { least, otherwise }: { readonly least: number; readonly otherwise: string },
): number {
  const number = toInteger(value, name);
  if (number < least) throw illegalArgument(otherwise);
  return number;
}

/** `and` or `or`, in any letter case. */
export function operator(value: JsonValue): 'and' | 'or' {
  const word = stringOf(value).toLowerCase();
  if (word === 'and' || word === 'or') return word;
  throw illegalArgument(
    `No enum constant org.elasticsearch.index.query.Operator.${word.toUpperCase()}`,
  );
}

/** `none` or `all`, in any letter case. */
export function zeroTerms(value: JsonValue): 'none' | 'all' {
  const word = stringOf(value).toLowerCase();
  if (word === 'none' || word === 'all') return word;
  throw parsingError(`Unsupported zero_terms_query value [${stringOf(value)}]`);
}

/** An option that changes no answer of the gateway, but must be a boolean. */
export const ignoredBoolean: ReadOption<object> = (value, name) => {
  booleanOption(name, value);
  return {};
};

/** Wraps what an object parser finds wrong. */
export const unknownField = (parser: string, key: string): Error =>
  contentParseError(`[${parser}] unknown field [${key}]`);
