import ipaddr from 'ipaddr.js';
import {
  type JsonObject,
  type JsonValue,
  isJsonArray,
  isJsonObject,
} from '../../../plugins/kibana-clickhouse/common/json/json';
import { stringOf } from '../../../plugins/kibana-clickhouse/search/values/field-value';
import type { AggregationRewrite } from './definition';
import { at } from './json-path';

/** The first bits of every address, as two hexadecimal digits a byte: 4 bytes, or with `v6` 16. */
const script = `
int[] bytesOf(String text) {
  int[] bytes = new int[16];
  if (text.indexOf(':') < 0) {
    bytes[10] = 255;
    bytes[11] = 255;
    int place = 12;
    for (int i = 0; i < text.length(); i++) {
      int c = (int) text.charAt(i);
      if (c == 46) place++;
      else bytes[place] = bytes[place] * 10 + c - 48;
    }
    return bytes;
  }
  int groupsBehind = 0;
  int gap = text.indexOf('::');
  if (gap >= 0 && gap + 2 < text.length()) {
    groupsBehind = 1;
    for (int i = gap + 2; i < text.length(); i++) if ((int) text.charAt(i) == 58) groupsBehind++;
  }
  int group = 0;
  int value = 0;
  for (int i = 0; i <= text.length(); i++) {
    int c = i < text.length() ? (int) text.charAt(i) : 58;
    if (c != 58) {
      value = value * 16 + (c < 58 ? c - 48 : c - 87);
      continue;
    }
    if (group < 8) {
      bytes[group * 2] = value >> 8;
      bytes[group * 2 + 1] = value & 255;
    }
    value = 0;
    group++;
    if (i == gap) {
      group = 8 - groupsBehind;
      i++;
    }
  }
  return bytes;
}
List keys = new ArrayList();
if (!doc.containsKey(params.field)) return keys;
for (def address : doc[params.field]) {
  int[] bytes = bytesOf(address);
  String key = '';
  int first = params.v6 ? 0 : 12;
  for (int i = first; i < 16; i++) {
    int kept = (int) Math.max(0, Math.min(8, params.length - 8 * (i - first)));
    int masked = bytes[i] & (255 << (8 - kept));
    key += '0123456789abcdef'.substring(masked / 16, masked / 16 + 1);
    key += '0123456789abcdef'.substring(masked % 16, masked % 16 + 1);
  }
  keys.add(key);
}
return keys;
`;

const mostPrefixes = 65_000;
const isV6 = (options: JsonObject): boolean => options['is_ipv6'] === true;

/**
 * `ip_prefix` by `terms` over a script that masks the addresses. Without `is_ipv6` the last four bytes are masked, those
 * of IPv6 addresses too (`IpPrefixAggregator`).
 */
export const ipPrefix: AggregationRewrite = {
  type: 'ip_prefix',
  judged: (options) => {
    const { field, prefix_length: length, min_doc_count: least = 1 } = options;
    if (field === undefined || typeof length !== 'number') return undefined;
    const params = { field, length, v6: isV6(options) };
    return {
      terms: {
        script: { source: script, params },
        value_type: 'string',
        size: mostPrefixes,
        order: { _key: 'asc' },
        min_doc_count: least,
      },
    };
  },
  restored: (answer, options) => {
    const found = at(answer, 'buckets');
    if (!isJsonArray(found)) return answer;
    const buckets = found.filter(isJsonObject).map((bucket) => prefixBucket(bucket, options));
    if (options['keyed'] !== true) return { buckets };
    const keyed = buckets.map(({ key = '', ...rest }): [string, JsonValue] => [
      stringOf(key),
      rest,
    ]);
    return { buckets: Object.fromEntries(keyed) };
  },
};

function prefixBucket({ key = '', ...rest }: JsonObject, options: JsonObject): JsonObject {
  const bytes = Buffer.from(stringOf(key), 'hex');
  const length = Number(options['prefix_length']);
  const suffix = options['append_prefix_length'] === true ? `/${String(length)}` : '';
  return {
    key: `${addressText([...bytes])}${suffix}`,
    is_ipv6: isV6(options),
    prefix_length: length,
    ...(!isV6(options) && { netmask: ipaddr.IPv4.subnetMaskFromPrefixLength(length).toString() }),
    ...rest,
  };
}

/** An IPv4 address stands as such in an IPv6 one, too. */
function addressText(bytes: number[]): string {
  const address = ipaddr.fromByteArray(bytes);
  if (address.kind() === 'ipv4') return address.toString();
  const v6 = address as ipaddr.IPv6;
  return v6.isIPv4MappedAddress() ? v6.toIPv4Address().toString() : v6.toRFC5952String();
}
