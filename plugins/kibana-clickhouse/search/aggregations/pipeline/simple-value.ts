import type { JsonObject } from '../../../common/json/json';

/** A pipeline's number as Elasticsearch 7.17 writes it (`InternalSimpleValue`): null for what JSON has not; a text where there is a format. */
export function simpleValue(
  value: number,
  print: ((value: number) => string) | undefined,
  key = 'value',
): JsonObject {
  if (!Number.isFinite(value)) return { [key]: null };
  return { [key]: value, ...(print && { [`${key}_as_string`]: print(value) }) };
}
