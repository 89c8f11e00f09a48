import { parsingError } from '../../../common/errors/catalogue';
import { type JsonValue, isJsonArray } from '../../../common/json/json';
import { type ReadOption, readOptions } from '../option-readers';
import { clauseObject } from '../options';
import { fieldNames } from './default-fields';

interface StringClause<O> {
  readonly name: string;
  /** All options but `fields`. */
  readonly options: Readonly<Record<string, ReadOption<O>>>;
  /** How Elasticsearch calls an option that it does not know. */
  readonly unknown: 'query does not support' | 'unsupported field';
}

/** Reads the options of query_string and simple_query_string: a list is allowed for `fields` alone. */
export function readStringClause<O extends { readonly fields: readonly string[] }>(
  { name, options, unknown }: StringClause<O>,
  body: JsonValue,
): Partial<O> {
  const { fields, ...others } = clauseObject(name, body);
  const list = Object.entries(others).find(([, value]) => isJsonArray(value));
  if (list) throw parsingError(`[${name}] query does not support [${list[0]}]`);
  const strange = Object.entries(others).find(
    ([key, value]) =>
      !Object.hasOwn(options, key) &&
      !['boost', '_name'].includes(key) &&
      typeof value !== 'object',
  );
  if (strange) throw parsingError(`[${name}] ${unknown} [${strange[0]}]`);
  if (fields === undefined) return readOptions<O>({ name, options, oddToken: 'unknown' }, others);
  if (typeof fields !== 'object') throw parsingError(`[${name}] ${unknown} [fields]`);
  // null or an object in its place is read like that of any other option
  const rest = isJsonArray(fields) ? others : { ...others, fields };
  const read = readOptions<O>({ name, options, oddToken: 'unknown' }, rest);
  return { ...read, fields: fieldNames(name, fields) };
}
