import { DateTime, type DateTimeUnit, type DurationLikeObject } from 'luxon';
import { dateParseError } from '../../common/errors/catalogue';
import type { Instant } from './calendar';
import type { DateFormat } from './date-format';
import { type TimeZone, utc } from './time-zone';

export interface DateMathOptions {
  readonly format: DateFormat;
  /** Epoch ms of the request. */
  readonly now: number;
  /** For texts without a zone and for the borders of rounding; default UTC. */
  readonly zone?: TimeZone;
  /** Whether numbers since 1970 are instants, whatever the zone; default: read as local time, as queries do. */
  readonly absolute?: boolean;
  /** Up: missing parts go to the last ns, `/unit` to the last ms (Elasticsearch: for `lte` and `gt`). */
  readonly round: 'down' | 'up';
}

/**
 * Reads `now-15m/d`, `2024-01-01||+1M/d` or a plain date. Units: y, M, w (from Monday), d, h or H, m, s.
 * Text that is no date is Elasticsearch's parse_exception.
 */
export function parseDateMath(text: string, options: DateMathOptions): Instant {
  if (text.startsWith('now'))
    return calculate(text.slice(3), { ms: options.now, nanos: 0 }, options);
  const bars = text.indexOf('||');
  const roundUp = options.round === 'up' && bars < 0;
  const anchor = parsePlain(bars < 0 ? text : text.slice(0, bars), roundUp, options);
  return bars < 0 ? anchor : calculate(text.slice(bars + 2), anchor, options);
}

function parsePlain(text: string, roundUp: boolean, options: DateMathOptions): Instant {
  if (text === '') throw dateParseError('cannot parse empty date');
  const { format, zone, absolute = false } = options;
  const instant = format.parse(text, { roundUp, absolute, ...(zone && { zone }) });
  if (instant) return instant;
  const reason = `failed to parse date field [${text}] with format [${format.text}]`;
  const several = format.text.includes('||') || format.text.startsWith('epoch_');
  throw dateParseError(`${reason}: [${reason}]`, [
    { type: 'illegal_argument_exception', reason },
    {
      type: 'date_time_parse_exception',
      reason: several
        ? 'Failed to parse with all enclosed parsers'
        : `Text '${text}' could not be parsed at index 0`,
    },
  ]);
}

interface Unit {
  readonly duration: keyof DurationLikeObject;
  readonly start: DateTimeUnit;
}

const units: Readonly<Record<string, Unit>> = {
  y: { duration: 'years', start: 'year' },
  M: { duration: 'months', start: 'month' },
  w: { duration: 'weeks', start: 'week' },
  d: { duration: 'days', start: 'day' },
  h: { duration: 'hours', start: 'hour' },
  H: { duration: 'hours', start: 'hour' },
  m: { duration: 'minutes', start: 'minute' },
  s: { duration: 'seconds', start: 'second' },
};

function calculate(math: string, start: Instant, options: DateMathOptions): Instant {
  const { zone } = options.zone ?? utc;
  let time = DateTime.fromMillis(start.ms, { zone });
  let { nanos } = start;
  for (const { operator, amount, unit } of operations(math)) {
    if (operator === '/') {
      time = time.startOf(unit.start);
      nanos = 0;
      // to the last ms: Elasticsearch 7.17 leaves out what is finer, of date_nanos too
      if (options.round === 'up')
        time = time.plus({ [unit.duration]: 1 }).minus({ milliseconds: 1 });
    } else time = time.plus({ [unit.duration]: operator === '-' ? -amount : amount });
  }
  const ms = time.toMillis();
  if (Number.isNaN(ms)) throw dateParseError(`date math [${math}] leaves the calendar`);
  return { ms, nanos };
}

interface Operation {
  readonly operator: string;
  readonly amount: number;
  readonly unit: Unit;
}

function operations(math: string): readonly Operation[] {
  const found: Operation[] = [];
  let rest = math;
  while (rest !== '') {
    const match = /^([+\-/])(\d*)(.?)/su.exec(rest);
    if (match === null) throw dateParseError(`operator not supported for date math [${math}]`);
    found.push(toOperation(match, math));
    rest = rest.slice(match[0].length);
  }
  return found;
}

function toOperation(match: RegExpExecArray, math: string): Operation {
  const [, operator = '', digits = '1', letter = ''] = match;
  const amount = digits === '' ? 1 : Number(digits);
  if (letter === '' || digits.length > 10) throw dateParseError(`truncated date math [${math}]`);
  if (operator === '/' && amount !== 1)
    throw dateParseError(`rounding \`/\` can only be used on single unit types [${math}]`);
  const unit = units[letter];
  if (unit === undefined)
    throw dateParseError(`unit [${letter}] not supported for date math [${math}]`);
  return { operator, amount, unit };
}
