import { defaultDateFormat, shardDateFormat } from '../values/date-format';
import { parseDateMath } from '../values/date-math';
import { type TimeZone, utc } from '../values/time-zone';

interface DateReading {
  readonly format: string | undefined;
  /** Epoch ms of the request. */
  readonly now: number;
  /** Of texts without one; default UTC. */
  readonly zone?: TimeZone | undefined;
}

/**
 * Text in an aggregation's options as epoch ms: date math rounded down, numbers since 1970 as instants (Elasticsearch 7.17
 * `DocValueFormat.DateTime`). Throws its errors of shards for text that is no date, and for a format that is none.
 */
export const dateValue = (text: string, { format, now, zone = utc }: DateReading): number =>
  parseDateMath(text, {
    format: shardDateFormat(format ?? defaultDateFormat),
    round: 'down',
    now,
    zone,
    absolute: true,
  }).ms;
