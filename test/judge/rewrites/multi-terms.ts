import {
  type JsonValue,
  isJsonArray,
  isJsonObject,
} from '../../../plugins/kibana-clickhouse/common/json/json';
import { stringOf } from '../../../plugins/kibana-clickhouse/search/values/field-value';
import type { AggregationRewrite } from './definition';
import { at } from './json-path';

/**
 * A key of several values, each with its kind, numbers behind 16 digits that stand in their order. A document with several
 * values in a field is in the bucket of each.
 */
const script = `
String ordered(long n) {
  String text = '';
  for (int shift = 60; shift >= 0; shift -= 4) {
    int digit = (int) ((n >>> shift) & 15);
    text += '0123456789abcdef'.substring(digit, digit + 1);
  }
  return text;
}
String encoded(def value) {
  if (value instanceof String) return 's' + value;
  if (value instanceof Boolean) return value ? 'b1' : 'b0';
  if (value instanceof Double || value instanceof Float) {
    double number = ((Number) value).doubleValue();
    long bits = Double.doubleToLongBits(number);
    return 'd' + ordered(bits < 0 ? ~bits : (bits ^ Long.MIN_VALUE)) + String.valueOf(number);
  }
  if (value instanceof Number) {
    long number = ((Number) value).longValue();
    return 'l' + ordered(number ^ Long.MIN_VALUE) + String.valueOf(number);
  }
  long moment = value.toInstant().toEpochMilli();
  return 't' + ordered(moment ^ Long.MIN_VALUE) + String.valueOf(moment);
}
List keys = new ArrayList();
keys.add('');
for (int i = 0; i < params.fields.size(); i++) {
  String field = params.fields[i];
  List values = new ArrayList();
  if (doc.containsKey(field) && doc[field].size() > 0) {
    for (def value : doc[field]) values.add(encoded(value));
  } else if (params.missing[i] != null) {
    values.add(encoded(params.missing[i]));
  }
  List longer = new ArrayList();
  for (String key : keys) {
    for (String value : values) longer.add(i == 0 ? value : key + '\u0000' + value);
  }
  keys = longer;
}
return keys;
`;

/**
 * `multi_terms` by `terms` over a script that joins the values of its fields; keys as `InternalMultiTerms` writes them.
 * Addresses stand in the order of their text there, which shows only where buckets tie.
 */
export const multiTerms: AggregationRewrite = {
  type: 'multi_terms',
  judged: (options) => {
    const { terms, ...rest } = options;
    if (terms === undefined || !isJsonArray(terms)) return undefined;
    const params = {
      fields: terms.map((one) => stringOf(at(one, 'field'))),
      missing: terms.map((one) => at(one, 'missing')),
    };
    return { terms: { ...rest, value_type: 'string', script: { source: script, params } } };
  },
  restored: (answer) => {
    const buckets = at(answer, 'buckets');
    if (!isJsonObject(answer) || !isJsonArray(buckets)) return answer;
    return { ...answer, buckets: buckets.map(withKeys) };
  },
};

function withKeys(bucket: JsonValue): JsonValue {
  if (!isJsonObject(bucket)) return bucket;
  const parts = stringOf(bucket['key'] ?? '').split('\u0000');
  const decoded = parts.map(decode);
  return {
    ...bucket,
    key: decoded.map(({ value }) => value),
    key_as_string: decoded.map(({ text }) => text).join('|'),
  };
}

interface Decoded {
  readonly value: JsonValue;
  readonly text: string;
}

const orderedDigits = 16;

function decode(part: string): Decoded {
  const [kind, rest] = [part.slice(0, 1), part.slice(1)];
  if (kind === 's') return { value: rest, text: rest };
  if (kind === 'b') return { value: rest === '1', text: String(rest === '1') };
  const text = rest.slice(orderedDigits);
  const number = Number(text);
  if (kind === 't') return { value: isoOf(number), text: isoOf(number) };
  const isLarge = kind === 'l' && !Number.isSafeInteger(number);
  return { value: isLarge ? BigInt(text) : number, text };
}

const isoOf = (ms: number): string => new Date(ms).toISOString();
