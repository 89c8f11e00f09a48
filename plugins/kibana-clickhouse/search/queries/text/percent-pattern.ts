import type { Field, Table } from '../../../clickhouse/catalog/table';
import { isString } from './string-values';

/** What a text with `%` is looked for as: a pattern of the query `wildcard`, over the whole values of a field. */
export interface PercentPattern {
  readonly field: Field;
  readonly pattern: string;
}

/**
 * With `ckibanaSyntax` a `%` in a text stands for any characters, and the text for a whole value, of every String under its
 * bare name; of a text field whatever the case. Undefined where `%` is a sign like any other.
 */
export function percentPattern(
  field: Field,
  text: string,
  { ckibanaSyntax }: Table,
): PercentPattern | undefined {
  if (ckibanaSyntax !== true || !text.includes('%') || !isBareString(field)) return undefined;
  const pattern = text.replaceAll(/[\\*?]/g, String.raw`\$&`).replaceAll('%', '*');
  return { field: field.type === 'text' ? { ...field, textSearch: 'contains' } : field, pattern };
}

const isBareString = (field: Field): boolean =>
  isString(field) &&
  (field.raw?.type ?? field.valueType).name === 'String' &&
  !field.name.endsWith('.keyword');
