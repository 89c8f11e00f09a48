import type { Expr } from '../../clickhouse/sql/nodes';
import { namePattern } from '../request/name-pattern';
import type { MetadataField } from './metadata-field';
import { foldAscii, noStrings } from './text/string-values';

interface PatternOptions {
  readonly caseInsensitive?: boolean | undefined;
  /** What the error calls such queries and the fields they can use. */
  readonly queries: string;
}

/** True where a metadata field matches a pattern in which only `*` means something (Elasticsearch 7.17 IndexFieldMapper). */
export function passesPattern(
  field: MetadataField,
  pattern: string,
  { caseInsensitive = false, queries }: PatternOptions,
): Expr {
  if (field.passes === undefined) throw noStrings(field, queries);
  const fold = (text: string): string => (caseInsensitive ? foldAscii(text) : text);
  const matches = namePattern(fold(pattern));
  return field.passes((name) => matches(fold(name)));
}
