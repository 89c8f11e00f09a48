import type { Field } from '../../clickhouse/catalog/table';
import type { Instant } from '../values/calendar';
import { formatOf } from '../values/date-bound';
import { type DateFormat, shardDateFormat } from '../values/date-format';

/** Formats that print `2024-01-01T00:00:00.000Z`: as JavaScript does, and by far the most asked for. */
const isoFormats: ReadonlySet<string> = new Set([
  'date_optional_time',
  'date_time',
  'strict_date_optional_time',
]);
const yearZero = -62_167_219_200_000;
const yearTenThousand = 253_402_300_800_000;

/**
 * A date format for printing many values: equal to what `shardDateFormat` gives, only faster for the
 * usual formats. Without a format it is the field's own. Throws 400 for an unknown format.
 */
export function printFormat(field: Field, text: string | undefined): DateFormat {
  const format = text === undefined ? formatOf(field) : shardDateFormat(text);
  const first = format.text.split('||')[0] ?? '';
  const isMillis = isoFormats.has(first) || (first === 'strict_date_time' && field.type === 'date');
  if (!isMillis) return format;
  return {
    ...format,
    print: (instant, zone) =>
      zone === undefined && isFourDigitYear(instant)
        ? new Date(instant.ms).toISOString()
        : format.print(instant, zone),
  };
}

const isFourDigitYear = ({ ms }: Instant): boolean => ms >= yearZero && ms < yearTenThousand;
