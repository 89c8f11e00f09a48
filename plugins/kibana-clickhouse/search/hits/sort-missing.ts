import type { FieldType } from '../../clickhouse/catalog/table';
import { writeJson } from '../../common/json/write-json';
import type { FieldSortKey } from '../request/search-request';
import { fromEpochNanos } from '../values/calendar';
import { shardDateFormat } from '../values/date-format';

const longMax = '9223372036854775807';
const longMin = '-9223372036854775808';

/** What the largest and the smallest value of a type are: they stand for a missing one. */
interface Extremes {
  readonly largest: string;
  readonly smallest: string;
}

const longs: Extremes = { largest: longMax, smallest: longMin };
const doubles: Extremes = { largest: '"Infinity"', smallest: '"-Infinity"' };
const none: Extremes = { largest: 'null', smallest: 'null' };

/** Elasticsearch 7.17, measured per type. */
const extremes: Readonly<Record<FieldType, Extremes>> = {
  boolean: longs,
  byte: longs,
  date: longs,
  date_nanos: { largest: longMax, smallest: '0' },
  double: doubles,
  float: doubles,
  geo_point: none,
  integer: longs,
  ip: none,
  keyword: none,
  long: longs,
  object: none,
  short: longs,
  text: none,
  unsigned_long: { largest: '18446744073709551615', smallest: '0' },
};

/** The same of a `date` with a format. */
const formatted: Extremes = {
  largest: '"+292278994-08-17T07:12:55.807Z"',
  smallest: '"-292275055-05-16T16:47:04.192Z"',
};

function nanosExtremes(format: string): Extremes {
  const print = (nanos: string): string =>
    JSON.stringify(shardDateFormat(format).print(fromEpochNanos(BigInt(nanos))));
  return { largest: print(longMax), smallest: print('0') };
}

/** JSON text of the sort value of a document without a value. */
export function missingText(type: FieldType, key: FieldSortKey): string {
  const { missing, order } = key;
  // of a field that no document has
  if (missing.kind === 'value') return writeJson(missing.value);
  const { largest, smallest } = extremesOf(type, key);
  const sortsAsLargest = (missing.kind === 'last') === (order === 'asc');
  return sortsAsLargest ? largest : smallest;
}

function extremesOf(type: FieldType, { format, numericType }: FieldSortKey): Extremes {
  if (type !== 'date' && type !== 'date_nanos') return extremes[type];
  const asType = numericType === 'date' || numericType === 'date_nanos' ? numericType : type;
  if (format === undefined) return extremes[asType];
  if (asType === 'date_nanos') return nanosExtremes(format);
  if (!format.startsWith('epoch_')) return formatted;
  return format === 'epoch_second'
    ? { largest: '"9223372036854775.807"', smallest: '"-9223372036854776.192"' }
    : { largest: `"${longMax}"`, smallest: `"${longMin}"` };
}
