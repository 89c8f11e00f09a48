import { illegalArgument, queryShardError } from '../../../common/errors/catalogue';
import type { JsonValue } from '../../../common/json/json';
import { stringOf } from '../../values/field-value';
import type { GeoPoint } from '../../values/geo-point';
import { javaDouble } from '../../values/java-double';

/** What is done about points that are not on the Earth (Elasticsearch 7.17 GeoValidationMethod). */
export type ValidationMethod = 'COERCE' | 'IGNORE_MALFORMED' | 'STRICT';

export function parseValidationMethod(value: JsonValue): ValidationMethod {
  const name = stringOf(value).toUpperCase();
  if (name === 'COERCE' || name === 'IGNORE_MALFORMED' || name === 'STRICT') return name;
  throw illegalArgument(
    `operator needs to be either [COERCE, IGNORE_MALFORMED, STRICT], but not [${stringOf(value)}]`,
  );
}

/** A part of a clause's points, with what Elasticsearch calls it: `top latitude`. */
export interface NamedDegrees {
  readonly name: string;
  readonly degrees: number;
}

/** 400 for degrees that are not on the Earth, unless the method says otherwise. */
export function requireValid(
  clause: string,
  parts: readonly NamedDegrees[],
  method: ValidationMethod,
): void {
  const invalid = parts.filter(
    ({ name, degrees }) => !(Math.abs(degrees) <= (name.endsWith('latitude') ? 90 : 180)),
  );
  if (method !== 'STRICT' || invalid.length === 0) return;
  const problems = invalid.map(
    ({ name, degrees }, i) =>
      `${String(i + 1)}: [${clause}] ${name} is invalid: ${javaDouble(degrees)};`,
  );
  throw queryShardError("couldn't validate latitude/ longitude values", [
    { type: 'query_validation_exception', reason: `Validation Failed: ${problems.join('')}` },
  ]);
}

/** The same point with usual degrees: over a pole and on, round the Earth (Elasticsearch 7.17 GeoUtils.normalizePoint). */
export function normalPoint({ lat, lon }: GeoPoint): GeoPoint {
  const turned = centered(lat, 360);
  const over = Math.abs(turned) > 90;
  return {
    lat: over ? Math.sign(turned) * 180 - turned : turned,
    lon: centered(over ? lon + 180 : lon, 360),
  };
}

/** Within half of a turn on either side of zero; the upper end is left as it is. */
function centered(value: number, turn: number): number {
  if (value > -turn / 2 && value <= turn / 2) return value;
  const rest = ((value % turn) + turn) % turn;
  return rest > turn / 2 ? rest - turn : rest;
}
