import { shardIllegalArgument } from '../../../common/errors/catalogue';
import type { JsonObject, JsonValue } from '../../../common/json/json';
import type { TimeZone } from '../../values/time-zone';
import { dateValue } from '../date-value';
import { checkOptions, objectOption, option, wrongType } from '../options';

/** `extended_bounds` as it was given: ms, or text in the aggregation's format. */
export interface ExtendedBounds {
  readonly min: number | string | undefined;
  readonly max: number | string | undefined;
}

/** The same in epoch ms. */
export interface BoundInstants {
  readonly min: number | undefined;
  readonly max: number | undefined;
}

/** Reads the option `extended_bounds` or `hard_bounds`: `{"min": 1704067200000, "max": "now/d"}`, each side optional. */
export function parseExtendedBounds(
  body: JsonObject,
  name: 'extended_bounds' | 'hard_bounds',
  type: string,
): ExtendedBounds | undefined {
  const bounds = objectOption(body, name, type);
  if (bounds === undefined) return undefined;
  checkOptions('bounds', bounds, { used: ['min', 'max'] });
  return { min: bound(option(bounds, 'min'), 'min'), max: bound(option(bounds, 'max'), 'max') };
}

function bound(value: JsonValue | undefined, key: string): number | string | undefined {
  if (value === undefined || typeof value === 'number' || typeof value === 'string') return value;
  if (typeof value === 'bigint') return Number(value);
  throw wrongType('bounds', key, value);
}

/**
 * The bounds in epoch ms: text is read in `format` and in the time zone, date math against `now`.
 * Throws when min is after max, and for text that is no date.
 */
export function boundInstants(
  bounds: ExtendedBounds | undefined,
  format: string | undefined,
  clock: { readonly now: number; readonly zone: TimeZone; readonly aggregation: string },
): BoundInstants {
  const instant = (value: number | string | undefined): number | undefined =>
    typeof value !== 'string' ? value : dateValue(value, { format, ...clock });
  const [min, max] = [instant(bounds?.min), instant(bounds?.max)];
  if (min !== undefined && max !== undefined && min > max) {
    throw shardIllegalArgument(
      `[extended_bounds.min][${String(min)}] cannot be greater than [extended_bounds.max][${String(max)}] for histogram aggregation [${clock.aggregation}]`,
    );
  }
  return { min, max };
}
