import { defaultDateFormat, shardDateFormat } from '../values/date-format';
import type { TimeZone } from '../values/time-zone';

/** An instant (epoch ms) in a format, by default that of a date field; its time zone decides the text. */
export const printDate = (ms: number, format: string | undefined, zone: TimeZone): string =>
  shardDateFormat(format ?? defaultDateFormat).print({ ms, nanos: 0 }, zone);
