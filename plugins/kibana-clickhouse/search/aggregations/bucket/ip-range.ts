import type { Field } from '../../../clickhouse/catalog/table';
import { call, param } from '../../../clickhouse/sql/build';
import { contentParseError, illegalArgument } from '../../../common/errors/catalogue';
import type { JsonObject, JsonValue } from '../../../common/json/json';
import { stringOf } from '../../values/field-value';
import { parseIp, parseIpOrBlock, printFullIpv6, printIp } from '../../values/ip-value';
import { aggregatedField } from '../aggregated-field';
import type { AggregationContext, AggregationType } from '../definition';
import { eachValue } from '../instants';
import { missingOption } from '../missing-value';
import { booleanOption, checkOptions, requiredField, textOption } from '../options';
import { asArgument } from '../plain-error';
import { type TypedValues, typedValues } from '../typed-values';
import { inRange, parseRanges, writeRanges } from './ranges';

const name = 'ip_range';

interface AddressRange {
  readonly key: string;
  /** As numbers of 128 bits; absent where open. `to` is exclusive. */
  readonly from: bigint | undefined;
  readonly to: bigint | undefined;
}

/**
 * `{"ip_range": {"field": "client", "ranges": [{"mask": "10.0.0.0/8"}, {"from": "192.168.0.0", "to": "192.168.1.0"}]}}`: a bucket for
 * each range, empty ones too, in the order of their ends (Elasticsearch 7.17 `IpRangeAggregationBuilder`). Refused:
 * `script`.
 */
export const ipRange: AggregationType = {
  name,
  parse(body, aggregation) {
    checkOptions(name, body, {
      used: ['field', 'missing', 'ranges', 'keyed'],
      ignored: ['value_type'],
      refused: ['script', 'format'],
    });
    const field = requiredField(body, name);
    const missing = missingOption(body, name);
    const keyed = booleanOption(body, 'keyed', name) ?? false;
    const ranges = parseRanges(body, { type: name, aggregation }, parseAddresses).toSorted(
      (a, b) => compare(a.from ?? -1n, b.from ?? -1n) || compare(a.to ?? most, b.to ?? most),
    );
    return {
      family: 'fixed',
      type: name,
      params: { field, missing, ranges, keyed },
      single: false,
      conditions: (context) => {
        const values = addresses(field, missing, context);
        return ranges.map(({ from, to }) =>
          inRange(values, {
            from: from === undefined ? undefined : address(from),
            to: to === undefined ? undefined : address(to),
          }),
        );
      },
      assemble: (buckets) => writeRanges(ranges.map(writeHead), buckets, keyed),
    };
  },
};

const compare = (a: bigint, b: bigint): number => Number(a > b) - Number(a < b);

/** Behind the last address. */
const most = 1n << 128n;

const address = (value: bigint): ReturnType<typeof param> => param(printFullIpv6(value), 'IPv6');

function addresses(
  fieldName: string,
  missing: JsonValue | undefined,
  context: AggregationContext,
): TypedValues | undefined {
  const field = aggregatedField(fieldName, ['ip'], name, context);
  if (!field && missing !== undefined) {
    const value = asArgument(() => parseIp(stringOf(missing)));
    return { expr: address(value), multiValued: false, type: 'ip' };
  }
  if (!field || missing !== undefined) return field && typedValues(field, missing, context);
  return {
    expr: eachValue(field, (value) => ipv6(value, field)),
    multiValued: field.multiValued,
    type: 'ip',
  };
}

const ipv6 = (value: Field['expr'], field: Field): Field['expr'] =>
  field.valueType.name === 'IPv4' ? call('toIPv6', value) : value;

function parseAddresses(range: JsonObject): AddressRange {
  const unknown = Object.keys(range).find((key) => !['key', 'from', 'to', 'mask'].includes(key));
  if (unknown !== undefined) throw contentParseError(`[${name}] unknown field [${unknown}]`);
  const key = textOption(range, 'key', name);
  const mask = textOption(range, 'mask', name);
  if (mask !== undefined) return { ...maskRange(mask), key: key ?? mask };
  const [from, to] = [textOption(range, 'from', name), textOption(range, 'to', name)];
  const ends = { from: addressOf(from), to: addressOf(to) };
  return { key: key ?? `${textOf(ends.from)}-${textOf(ends.to)}`, ...ends };
}

const textOf = (value: bigint | undefined): string => (value === undefined ? '*' : printIp(value));

function maskRange(mask: string): Pick<AddressRange, 'from' | 'to'> {
  if (!mask.includes('/')) throw illegalArgument(`Expected [ip/prefix] but was [${mask}]`);
  const { from, to } = asArgument(() => parseIpOrBlock(mask));
  return { from: from === 0n ? undefined : from, to: to + 1n === most ? undefined : to + 1n };
}

const addressOf = (text: string | undefined): bigint | undefined =>
  text === undefined ? undefined : asArgument(() => parseIp(text));

const writeHead = ({ key, from, to }: AddressRange): JsonObject & { readonly key: string } => ({
  key,
  ...(from !== undefined && { from: printIp(from) }),
  ...(to !== undefined && { to: printIp(to) }),
});
