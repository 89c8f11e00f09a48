import { FixedOffsetZone, IANAZone, type Zone } from 'luxon';
import { argumentCausedBy } from '../../common/errors/catalogue';
import type { ErrorCause } from '../../common/errors/elasticsearch-error';

/** A time zone by its id, as luxon calculates with it. */
export interface TimeZone {
  /** As it was given: `Europe/Warsaw`, `+01:00`, `Z`. */
  readonly id: string;
  readonly zone: Zone;
}

export const utc: TimeZone = { id: 'Z', zone: FixedOffsetZone.utcInstance };

const offsetPattern = /^(?:UTC|GMT|UT)?([+-])(\d{1,2})(?::?([0-5]\d))?$/;
const zeroNames: ReadonlySet<string> = new Set(['Z', 'z', 'UTC', 'GMT', 'UT', 'Etc/UTC']);
/** Zones of the database that Java knows under other names only. */
const javaUnknown: ReadonlySet<string> = new Set(['EST', 'HST', 'MST']);
const zones = new Map<string, TimeZone>();

/**
 * The zone of an id: an IANA name (case matters, as in Elasticsearch), an offset (`+1`, `+01`, `+0100`,
 * `+01:00`, `UTC+1`) or `Z`. An id that is none is a 400.
 */
export function parseTimeZone(id: string): TimeZone {
  const zone = findTimeZone(id);
  if (zone) return zone;
  const cause = unknownZone(id);
  throw argumentCausedBy(`java.time.zone.ZoneRulesException: ${cause.reason}`, cause);
}

/** Java's exception for an id that is no zone. */
export const unknownZone = (id: string): ErrorCause => ({
  type: 'zone_rules_exception',
  reason: `Unknown time-zone ID: ${id}`,
});

/** As `parseTimeZone`; undefined when the id is none. */
export function findTimeZone(id: string): TimeZone | undefined {
  if (zeroNames.has(id)) return { id, zone: FixedOffsetZone.utcInstance };
  const known = zones.get(id);
  if (known) return known;
  const offset = offsetPattern.exec(id);
  if (offset) return offsetZone(id, offset);
  if (!isRegion(id)) return undefined;
  const region = { id, zone: IANAZone.create(id) };
  zones.set(id, region);
  return region;
}

function offsetZone(id: string, match: RegExpExecArray): TimeZone | undefined {
  const minutes = Number(match[2]) * 60 + Number(match[3] ?? 0);
  if (minutes > 18 * 60) return undefined;
  return { id, zone: FixedOffsetZone.instance(match[1] === '-' ? -minutes : minutes) };
}

function isRegion(id: string): boolean {
  if (javaUnknown.has(id)) return false;
  if (!/^[A-Za-z][A-Za-z0-9~/._+-]+$/.test(id) || !IANAZone.isValidZone(id)) return false;
  const canonical = new Intl.DateTimeFormat('en', { timeZone: id }).resolvedOptions().timeZone;
  return canonical === id || canonical.toLowerCase() !== id.toLowerCase();
}

/** The zone's distance from UTC in ms at an instant (epoch ms), positive in the east. */
export const offsetAt = ({ zone }: TimeZone, epochMs: number): number =>
  Math.round(zone.offset(epochMs) * 60_000);

const dayMs = 86_400_000;

/**
 * The instant (epoch ms) of a local date and time, given as ms of the same date and time in UTC. In a
 * gap it moves forward by the gap's length (02:30 is 03:30), in an overlap it is the earlier one: as
 * `java.time` does.
 */
export function localToEpoch(localMs: number, zone: TimeZone): number {
  const before = offsetAt(zone, localMs - dayMs);
  const earlier = localMs - before;
  if (zone.zone.isUniversal || offsetAt(zone, earlier) === before) return earlier;
  const after = offsetAt(zone, localMs + dayMs);
  return offsetAt(zone, localMs - after) === after ? localMs - after : earlier;
}
