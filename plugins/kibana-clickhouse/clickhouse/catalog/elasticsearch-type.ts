import { type ColumnType, bareType, parseColumnType } from './column-type';
import type { FieldType, TimeEncoding } from './table';

/** How a value is turned into what Elasticsearch would hold, where ClickHouse's own type differs. */
export type Conversion = 'toFloat64' | 'toString' | 'toStringCutToZero';

/** What one value of a ClickHouse type is to Elasticsearch. */
export interface ScalarType {
  readonly type: FieldType;
  readonly time?: TimeEncoding;
  /** Applied to the value; its result is of `valueType`. */
  readonly conversion?: Conversion;
  /** The type of the value after conversion. */
  readonly valueType: ColumnType;
}

/** A type that has no counterpart: `reason` names it for the error of a query. */
export interface UnknownType {
  readonly type: 'unknown';
  readonly reason: string;
}

const simple: Readonly<Record<string, FieldType>> = {
  Bool: 'boolean',
  UInt8: 'short',
  UInt16: 'integer',
  UInt32: 'long',
  UInt64: 'unsigned_long',
  Int8: 'byte',
  Int16: 'short',
  Int32: 'integer',
  Int64: 'long',
  Float32: 'float',
  Float64: 'double',
  IPv4: 'ip',
  IPv6: 'ip',
  Point: 'geo_point',
};

const converted: Readonly<Record<string, readonly [FieldType, Conversion]>> = {
  Enum8: ['keyword', 'toString'],
  Enum16: ['keyword', 'toString'],
  UUID: ['keyword', 'toString'],
  FixedString: ['keyword', 'toStringCutToZero'],
  BFloat16: ['double', 'toFloat64'],
  Int128: ['double', 'toFloat64'],
  Int256: ['double', 'toFloat64'],
  UInt128: ['double', 'toFloat64'],
  UInt256: ['double', 'toFloat64'],
  Decimal: ['double', 'toFloat64'],
  Decimal32: ['double', 'toFloat64'],
  Decimal64: ['double', 'toFloat64'],
  Decimal128: ['double', 'toFloat64'],
  Decimal256: ['double', 'toFloat64'],
};

const conversionResult: Readonly<Record<Conversion, ColumnType>> = {
  toFloat64: parseColumnType('Float64'),
  toString: parseColumnType('String'),
  toStringCutToZero: parseColumnType('String'),
};

/**
 * The field type of one value: a String is `text` unless it is LowCardinality, unsigned integers
 * become the smallest type that holds them (Elasticsearch 7.17 has no unsigned types below 64 bits),
 * wider integers and Decimals are `double`, dates finer than a millisecond `date_nanos`.
 */
export function elasticsearchType(type: ColumnType): ScalarType | UnknownType {
  const valueType = bareType(type);
  const time = timeEncoding(type);
  if (time) return { type: isNanos(time) ? 'date_nanos' : 'date', time, valueType };
  if (type.name === 'String') return { type: type.lowCardinality ? 'keyword' : 'text', valueType };
  const conversion = converted[type.name];
  if (conversion)
    return {
      type: conversion[0],
      conversion: conversion[1],
      valueType: conversionResult[conversion[1]],
    };
  const plain = simple[type.name] ?? (isLatLon(type) ? 'geo_point' : undefined);
  if (plain) return { type: plain, valueType };
  return { type: 'unknown', reason: `its ClickHouse type [${type.text}] is not supported` };
}

const isNanos = (time: TimeEncoding): boolean => time.kind === 'datetime64' && time.precision > 3;

function timeEncoding(type: ColumnType): TimeEncoding | undefined {
  switch (type.name) {
    case 'Date':
    case 'Date32':
      return { kind: 'date' };
    case 'DateTime':
    case 'DateTime32':
      return { kind: 'datetime' };
    case 'DateTime64':
      return { kind: 'datetime64', precision: Number(type.literals[0] ?? '3') };
    default:
      return undefined;
  }
}

/** `Tuple(lat Float64, lon Float64)`, in either order, as Elasticsearch writes a point. */
function isLatLon(type: ColumnType): boolean {
  return (
    type.name === 'Tuple' &&
    type.names.length === 2 &&
    type.names.includes('lat') &&
    type.names.includes('lon') &&
    type.inner.every(({ name }) => name.startsWith('Float') || name.startsWith('Decimal'))
  );
}

/** An integer type of at most 64 bits: one that can count time since 1970. */
export const isEpochType = (type: ColumnType): boolean => /^U?Int(?:32|64)$/.test(type.name);

/** `created_time`, `TimeStamp`: an integer column of such a name is taken for time. */
export const isTimeName = (name: string): boolean => /time/i.test(name);

type EpochUnit = Extract<TimeEncoding, { readonly kind: 'epoch' }>['unit'];

const unitLimits: readonly (readonly [bigint, EpochUnit | undefined])[] = [
  [10n ** 8n, undefined],
  [10n ** 11n, 's'],
  [10n ** 14n, 'ms'],
  [10n ** 17n, 'us'],
];

/**
 * The unit in which a column counts time, from its largest value: 10^8 s is 1973, 10^11 ms too, and
 * so on. Undefined when the values are no time. Of an empty column (`undefined`) it is ms, or s where
 * the type has too few bits for ms.
 */
export function epochUnit(type: ColumnType, largest: bigint | undefined): EpochUnit | undefined {
  if (largest === undefined) return type.name.endsWith('32') ? 's' : 'ms';
  const found = unitLimits.find(([limit]) => largest < limit);
  return found ? found[1] : 'ns';
}
