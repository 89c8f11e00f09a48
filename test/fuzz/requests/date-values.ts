import * as fc from 'fast-check';
import type { JsonObject, JsonValue } from '../../../plugins/kibana-clickhouse/common/json/json';
import { mostly, options, timeZones } from './context';
import { type Spread, instants } from '../documents/instants';

const units = ['y', 'M', 'w', 'd', 'h', 'H', 'm', 's'] as const;

/** `+1M/d`: what follows an anchor. */
const mathOf = fc.oneof(
  fc.constantFrom(...units).map((unit) => `/${unit}`),
  fc
    .tuple(
      fc.constantFrom('+', '-'),
      fc.integer({ min: 1, max: 3 }),
      fc.constantFrom(...units),
      fc.constantFrom('', ...units.map((unit) => `/${unit}`)),
    )
    .map(([sign, count, unit, round]) => `${sign}${String(count)}${unit}${round}`),
);

/** Lengths of ISO texts: a year, a month, a day, up to a zone. A date_nanos does not take hours without their seconds. */
const lengths = {
  date: fc.constantFrom(4, 7, 10, 13, 16, 19, 23, 24, 25),
  date_nanos: mostly(fc.constantFrom(4, 7, 10, 19, 23, 24, 25), fc.constantFrom(13, 16), 60),
} as const;

/** The types whose values are written as dates. */
export type DateKind = keyof typeof lengths;

const isoTexts = (spread: Spread, kind: DateKind): fc.Arbitrary<string> =>
  fc.tuple(instants(spread), lengths[kind]).map(([ms, length]) => {
    const iso = new Date(ms).toISOString();
    return length === 25 ? iso.replace('Z', '+02:00') : iso.slice(0, Number(length));
  });

/** Dates as a request without a format writes them. */
export function dateTexts(spread: Spread, kind: DateKind): fc.Arbitrary<JsonValue> {
  const iso = isoTexts(spread, kind);
  return fc.oneof(
    { weight: 50, arbitrary: iso },
    { weight: 20, arbitrary: instants(spread) },
    { weight: 10, arbitrary: instants(spread).map(String) },
    { weight: 20, arbitrary: fc.tuple(iso, mathOf).map(([text, math]) => `${text}||${math}`) },
    {
      weight: 10,
      arbitrary: fc.constantFrom(
        ...['now', 'now-10y/y', 'now/d', 'now+1d/w', 'now-2000d/d'],
        kind === 'date' ? 'now-60y' : 'now-40y',
      ),
    },
    {
      weight: 1,
      arbitrary: fc.constantFrom(
        '',
        'yesterday',
        '2024-13-01',
        '2024-02-30',
        '2024-1-5',
        'now/x',
        '2024||+1',
      ),
    },
  );
}

const pad = (value: number, width = 2): string => String(value).padStart(width, '0');

const printers: Readonly<Record<string, (date: Date) => string>> = {
  epoch_millis: (date) => String(date.getTime()),
  epoch_second: (date) => String(Math.floor(date.getTime() / 1000)),
  strict_date_optional_time: (date) => date.toISOString(),
  strict_date: (date) => date.toISOString().slice(0, 10),
  'yyyy-MM-dd': (date) => date.toISOString().slice(0, 10),
  'yyyy-MM-dd HH:mm:ss': (date) => date.toISOString().slice(0, 19).replace('T', ' '),
  'yyyy-MM-dd||epoch_millis': (date) => String(date.getTime()),
  basic_date: (date) => date.toISOString().slice(0, 10).replaceAll('-', ''),
  'dd/MM/yyyy': (date) =>
    `${pad(date.getUTCDate())}/${pad(date.getUTCMonth() + 1)}/${String(date.getUTCFullYear())}`,
  'yyyy-MM': (date) => date.toISOString().slice(0, 7),
  yyyy: (date) => date.toISOString().slice(0, 4),
};

/** Ends of a range of dates, with a format for both or none. */
export function dateRanges(spread: Spread, kind: DateKind): fc.Arbitrary<JsonObject> {
  const plain = ends(dateTexts(spread, kind)).chain((bounds) => zoned(fc.constant(bounds)));
  const formatted = fc.constantFrom(...Object.keys(printers)).chain((format) => {
    const print = printers[format] ?? String;
    return zoned(
      ends(instants(spread).map((ms) => print(new Date(ms)))).map((bounds) => ({
        ...bounds,
        format,
      })),
    );
  });
  return fc.oneof({ weight: 3, arbitrary: plain }, { weight: 2, arbitrary: formatted });
}

const zoned = (bounds: fc.Arbitrary<JsonObject>): fc.Arbitrary<JsonObject> =>
  fc.tuple(bounds, options({ time_zone: timeZones })).map(([made, zone]) => ({ ...made, ...zone }));

const lowerKeys = ['gte', 'gte', 'gte', 'gt', 'from'] as const;
const upperKeys = ['lte', 'lte', 'lt', 'lt', 'to'] as const;

/** One end or both under Elasticsearch's names, the smaller value first where they compare. */
export function ends(value: fc.Arbitrary<JsonValue>): fc.Arbitrary<JsonObject> {
  return fc
    .record({
      first: value,
      second: value,
      lower: fc.constantFrom(...lowerKeys),
      upper: fc.constantFrom(...upperKeys),
      sides: fc.constantFrom('both', 'both', 'both', 'lower', 'upper', 'none'),
      extra: options({
        include_lower: fc.boolean(),
        include_upper: fc.boolean(),
        boost: fc.constantFrom(1, 2.5),
        relation: fc.constantFrom('intersects', 'within'),
      }),
      rare: fc.integer({ min: 0, max: 3 }),
    })
    .map(({ first, second, lower, upper, sides, extra, rare }) => {
      const [low, high] = inOrder(first, second);
      return {
        ...(sides !== 'upper' && sides !== 'none' && { [lower]: low }),
        ...(sides !== 'lower' && sides !== 'none' && { [upper]: high }),
        ...(rare === 0 && extra),
      };
    });
}

function inOrder(a: JsonValue, b: JsonValue): readonly [JsonValue, JsonValue] {
  const comparable = typeof a === typeof b && (typeof a === 'number' || typeof a === 'string');
  return comparable && a > (b as typeof a) ? [b, a] : [a, b];
}
