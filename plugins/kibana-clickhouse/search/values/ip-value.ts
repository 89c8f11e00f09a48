import ipaddr from 'ipaddr.js';
import { failedQuery } from '../../common/errors/catalogue';

/*
 * Addresses are 128-bit integers, as Elasticsearch indexes them: IPv4 is ::ffff:a.b.c.d.
 */

/** The first address of `::ffff:0:0/96`, where IPv4 lies. */
const mappedStart = 0xffff_0000_0000n;
const mappedEnd = 0xffff_ffff_ffffn;

export interface IpRange {
  readonly from: bigint;
  readonly to: bigint;
}

/** One address in any spelling; anything else is Elasticsearch's `is not an IP string literal`. */
export function parseIp(text: string): bigint {
  const value = tryParseIp(text);
  if (value === undefined) throw failedQuery(`'${text}' is not an IP string literal.`);
  return value;
}

/** An address or a CIDR block, as `term` takes it. */
export function parseIpOrBlock(text: string): IpRange {
  const slash = text.indexOf('/');
  if (slash < 0) {
    const value = parseIp(text);
    return { from: value, to: value };
  }
  const address = text.slice(0, slash);
  const value = parseIp(address);
  const bits = /^\d{1,3}$/.exec(text.slice(slash + 1)) ? Number(text.slice(slash + 1)) : NaN;
  const length = address.includes(':') ? bits : bits + 96;
  if (!(length <= 128) || (length < 96 && !address.includes(':')))
    throw failedQuery(
      `Illegal prefix length [${text.slice(slash + 1)}] in [${text}]. Must be 0-32 for IPv4 ranges, 0-128 for IPv6 ranges`,
    );
  const hostMask = (1n << BigInt(128 - length)) - 1n;
  const from = (value | hostMask) ^ hostMask;
  return { from, to: from | hostMask };
}

function tryParseIp(text: string): bigint | undefined {
  if (/^\d{1,3}(?:\.\d{1,3}){3}$/.test(text)) return parseIpv4(text);
  if (!text.includes(':') || text.includes('%')) return undefined;
  const dotted = /(?<=:)\d{1,3}(?:\.\d{1,3}){3}$/.exec(text)?.[0];
  const low = dotted === undefined ? undefined : parseIpv4(dotted);
  if (dotted !== undefined && low === undefined) return undefined;
  // the package takes ::1.2.3.4 for ::ffff:1.2.3.4
  const hex = low === undefined ? text : `${text.slice(0, -(dotted?.length ?? 0))}${hexPair(low)}`;
  if (!ipaddr.IPv6.isValid(hex)) return undefined;
  return ipaddr.IPv6.parse(hex).parts.reduce((value, part) => (value << 16n) | BigInt(part), 0n);
}

const hexPair = (value: bigint): string =>
  `${((value >> 16n) & 0xffffn).toString(16)}:${(value & 0xffffn).toString(16)}`;

function parseIpv4(text: string): bigint | undefined {
  const octets = text.split('.').map(Number);
  if (octets.some((octet) => octet > 255) || /(?:^|\.)0\d/.test(text)) return undefined;
  return octets.reduce((value, octet) => (value << 8n) | BigInt(octet), 0n) + mappedStart;
}

/** The IPv4 addresses within a range, as numbers of 32 bits; undefined when there are none. */
export function ipv4Part({ from, to }: IpRange): IpRange | undefined {
  if (to < mappedStart || from > mappedEnd) return undefined;
  const low = from < mappedStart ? mappedStart : from;
  const high = to > mappedEnd ? mappedEnd : to;
  return { from: low - mappedStart, to: high - mappedStart };
}

/** An address as Elasticsearch prints it: IPv4 dotted, IPv6 in lower case with the longest run of zeros cut. */
export function printIp(value: bigint): string {
  if (value >= mappedStart && value <= mappedEnd) return printIpv4(value - mappedStart);
  const parts = Array.from({ length: 8 }, (_, i) =>
    Number((value >> BigInt(112 - 16 * i)) & 0xffffn),
  );
  const run = longestZeros(parts);
  const hex = (items: readonly number[]): string =>
    items.map((part) => part.toString(16)).join(':');
  if (run.length < 2) return hex(parts);
  return `${hex(parts.slice(0, run.start))}::${hex(parts.slice(run.start + run.length))}`;
}

/** 32 bits as `a.b.c.d`. */
export const printIpv4 = (value: bigint): string =>
  [24n, 16n, 8n, 0n].map((shift) => ((value >> shift) & 0xffn).toString()).join('.');

/** 128 bits in full, as ClickHouse reads every IPv6. */
export const printFullIpv6 = (value: bigint): string =>
  (value.toString(16).padStart(32, '0').match(/.{4}/g) ?? []).join(':');

interface Run {
  readonly start: number;
  readonly length: number;
}

function longestZeros(parts: readonly number[]): Run {
  let best: Run = { start: 0, length: 0 };
  let length = 0;
  for (const [i, part] of parts.entries()) {
    length = part === 0 ? length + 1 : 0;
    if (length > best.length) best = { start: i - length + 1, length };
  }
  return best;
}
