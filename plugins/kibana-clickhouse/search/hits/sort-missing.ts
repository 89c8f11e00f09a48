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

/** The last and the first ms that a long counts, as dates. */
const lastDate = { year: 292_278_994, month: 8, day: 17, hour: 7, minute: 12, second: 55 };
const firstDate = { year: -292_275_055, month: 5, day: 16, hour: 16, minute: 47, second: 4 };

/** The same of a `date` with a format. */
function dateExtremes(format: string): Extremes {
  const printed = shardDateFormat(format);
  return {
    largest: JSON.stringify(printed.printTime({ ...lastDate, nano: 807_000_000 })),
    smallest: JSON.stringify(printed.printTime({ ...firstDate, nano: 192_000_000 })),
  };
}

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
  if (!format.startsWith('epoch_')) return dateExtremes(format);
  return format.startsWith('epoch_second')
    ? { largest: '"9223372036854775.807"', smallest: '"-9223372036854776.192"' }
    : { largest: `"${longMax}"`, smallest: `"${longMin}"` };
}
