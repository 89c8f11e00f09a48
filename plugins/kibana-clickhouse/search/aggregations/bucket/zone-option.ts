import { contentParseError } from '../../../common/errors/catalogue';
import type { JsonObject } from '../../../common/json/json';
import { findTimeZone, type TimeZone, unknownZone, utc } from '../../values/time-zone';
import { option, textOption } from '../options';

/** `time_zone`: an id, or a number of hours; by default UTC. Throws Elasticsearch's error, which names the aggregation. */
export function parseZone(body: JsonObject, name: string): TimeZone {
  const value = option(body, 'time_zone');
  if (value === undefined) return utc;
  const id =
    typeof value === 'number'
      ? `${value < 0 ? '-' : '+'}${String(Math.abs(value))}`
      : (textOption(body, 'time_zone', name) ?? '');
  const zone = findTimeZone(id);
  if (zone) return zone;
  throw contentParseError(`[${name}] failed to parse field [time_zone]`, [unknownZone(id)]);
}
