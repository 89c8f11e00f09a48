import ipaddr from 'ipaddr.js';
import type { Field } from '../../../clickhouse/catalog/table';
import { call, param } from '../../../clickhouse/sql/build';
import type { Expr } from '../../../clickhouse/sql/nodes';
import { illegalArgument } from '../../../common/errors/catalogue';
import type { JsonObject, JsonValue } from '../../../common/json/json';
import { stringOf } from '../../values/field-value';
import { printIp, printIpv4 } from '../../values/ip-value';
import { aggregatedField } from '../aggregated-field';
import type { AggregationContext, AggregationType, Bucket, Level } from '../definition';
import { eachValue } from '../instants';
import {
  booleanOption,
  checkOptions,
  integerOption,
  minDocCountOption,
  requiredField,
} from '../options';

const name = 'ip_prefix';

interface PrefixParams {
  readonly field: string;
  readonly length: number;
  readonly isIpv6: boolean;
  readonly showsLength: boolean;
  readonly keyed: boolean;
  readonly minDocCount: number;
}

/**
 * `{"ip_prefix": {"field": "client", "prefix_length": 24}}`: a bucket for each network of addresses, in their order. Without
 * `is_ipv6` the last four bytes of every address are masked, those of IPv6 addresses too (Elasticsearch 8
 * `IpPrefixAggregator`).
 */
export const ipPrefix: AggregationType = {
  name,
  parse(body, aggregation) {
    const params = parsePrefix(body, aggregation);
    return {
      family: 'bucket',
      type: name,
      params,
      level: (context) => prefixLevel(params, context),
      assemble: ({ buckets }) => {
        const written = buckets
          .toSorted((a, b) => compare(numberOf(a), numberOf(b)))
          .map((bucket) => writeBucket(bucket, params));
        if (!params.keyed) return { buckets: written };
        const keyed = written.map(({ key, ...rest }): [string, JsonValue] => [
          stringOf(key ?? ''),
          rest,
        ]);
        return { buckets: Object.fromEntries(keyed) };
      },
    };
  },
};

function parsePrefix(body: JsonObject, aggregation: string): PrefixParams {
  checkOptions(name, body, {
    used: ['field', 'prefix_length', 'is_ipv6', 'append_prefix_length', 'keyed', 'min_doc_count'],
  });
  const length = integerOption(body, 'prefix_length', name);
  if (length === undefined) throw illegalArgument('Required [prefix_length]');
  const isIpv6 = booleanOption(body, 'is_ipv6', name) ?? false;
  const longest = isIpv6 ? 128 : 32;
  if (length < 0 || length > longest)
    throw illegalArgument(
      `[prefix_length] must be in range [0, ${String(longest)}] while value is [${String(length)}]`,
    );
  return {
    field: requiredField(body, name),
    length,
    isIpv6,
    showsLength: booleanOption(body, 'append_prefix_length', name) ?? false,
    keyed: booleanOption(body, 'keyed', name) ?? false,
    minDocCount: minDocCountOption(body, { type: name, aggregation }) ?? 1,
  };
}

function prefixLevel(params: PrefixParams, context: AggregationContext): Level | undefined {
  const field = aggregatedField(params.field, ['ip'], name, context);
  if (!field) return undefined;
  const keys = eachValue(field, (value) => networkOf(value, field, params));
  return {
    key: field.multiValued ? call('arrayDistinct', keys) : keys,
    keys: field.multiValued ? 'expanded' : 'single',
    manyKeys: false,
    order: [{ by: 'key', direction: 'ASC' }],
    minDocCount: Math.max(1, params.minDocCount),
  };
}

/** The first bits of an address as a number, of 128 bits or of the last 32. */
function networkOf(value: Expr, { valueType }: Field, { length, isIpv6 }: PrefixParams): Expr {
  const address = valueType.name === 'IPv4' ? call('toIPv6', value) : value;
  const bits = isIpv6 ? 128n : 32n;
  const mask = (1n << bits) - (1n << (bits - BigInt(length)));
  return call('bitAnd', call('toUInt128', address), param(mask, 'UInt128'));
}

const numberOf = ({ key }: Bucket): bigint =>
  typeof key === 'string' || typeof key === 'number' ? BigInt(key) : 0n;

const compare = (a: bigint, b: bigint): number => Number(a > b) - Number(a < b);

function writeBucket(bucket: Bucket, params: PrefixParams): JsonObject {
  const { isIpv6, length } = params;
  const network = numberOf(bucket);
  const address = isIpv6 ? printIp(network) : printIpv4(network);
  return {
    key: params.showsLength ? `${address}/${String(length)}` : address,
    is_ipv6: isIpv6,
    prefix_length: length,
    ...(!isIpv6 && { netmask: ipaddr.IPv4.subnetMaskFromPrefixLength(length).toString() }),
    doc_count: bucket.docCount,
    ...bucket.subs,
  };
}
