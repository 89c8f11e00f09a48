import type { Field } from '../../clickhouse/catalog/table';
import { shardIllegalArgument, shardNumberFormat } from '../../common/errors/catalogue';
import { isJsonArray, isJsonObject, type JsonObject, type JsonValue } from '../../common/json/json';
import { stringOf } from '../values/field-value';
import type { TimeZone } from '../values/time-zone';
import { dateValue } from './date-value';
import { option, wrongType } from './options';

/** The option `missing`: a number, a boolean or text; undefined where it is not given. */
export function missingOption(body: JsonObject, type: string): JsonValue | undefined {
  const value = option(body, 'missing');
  if (isJsonArray(value) || isJsonObject(value)) throw wrongType(type, 'missing', value);
  return value;
}

interface MissingContext {
  /** Of dates. */
  readonly format?: string | undefined;
  readonly zone?: TimeZone | undefined;
  /** Epoch ms of the request. */
  readonly now: number;
}

/**
 * What `missing` means as a number for a field of numbers, dates (epoch ms) or booleans (1 and 0); an unmapped field is of
 * numbers. Numbers stand for themselves, text is read as the field's format reads it (Elasticsearch 7.17
 * `MissingValues.replaceMissing`, `DocValueFormat.parseDouble`). Throws its error for other text.
 */
export function missingNumber(
  value: JsonValue,
  field: Pick<Field, 'type'> | undefined,
  { format, zone, now }: MissingContext,
): number {
  if (typeof value === 'number' || typeof value === 'bigint') return Number(value);
  const text = stringOf(value);
  switch (field?.type) {
    case 'boolean':
      return Number(missingBoolean(text));
    case 'date':
    case 'date_nanos':
      return dateValue(text, { format, now, zone });
    default:
      return javaDouble(text);
  }
}

function missingBoolean(text: string): boolean {
  if (text === 'true' || text === 'false') return text === 'true';
  throw shardIllegalArgument(`Cannot parse boolean [${text}], expected either [true] or [false]`);
}

/** Text that Java reads as a double. */
function javaDouble(text: string): number {
  const trimmed = text.trim();
  if (trimmed === '') throw shardNumberFormat('empty String');
  const isNumber = /^[+-]?(?:\d+\.?\d*|\.\d+)(?:[eE][+-]?\d+)?[dDfF]?$/.test(trimmed);
  if (!isNumber) throw shardNumberFormat(`For input string: "${text}"`);
  return Number.parseFloat(trimmed);
}
