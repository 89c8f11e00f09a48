import type { Field } from '../../clickhouse/catalog/table';
import { binary, call, integer, or, param, tuple } from '../../clickhouse/sql/build';
import type { Expr } from '../../clickhouse/sql/nodes';
import { unsupported } from '../../common/errors/catalogue';
import { partsOf } from '../queries/geo/geo-field';
import { keptDegrees } from '../queries/geo/stored-degrees';
import { latitudeStep, longitudeStep } from '../values/geo-steps';
import { ofType, type TypedExpr } from './typed-expr';

/**
 * The point of a field, as Elasticsearch keeps it: latitude and longitude. Refused for fields of several: theirs have an
 * order of their own.
 */
export function pointOf(field: Field): TypedExpr {
  if (field.multiValued) throw unsupported(`several points of field [${field.name}] in a script`);
  const { lat, lon } = partsOf(field, field.expr);
  return ofType('point', tuple([kept(lat, latitudeStep), kept(lon, longitudeStep)]));
}

// no zero is negative: it is counted in whole steps
const kept = (degrees: Expr, step: number): Expr =>
  binary('+', keptDegrees(degrees, step), param(0, 'Float64'));

const places: Readonly<Record<string, number>> = { lat: 1, lon: 2 };

/** `lat` or `lon` of a point; undefined for another name. */
export function degreesOf({ expr }: TypedExpr, name: string): TypedExpr | undefined {
  const place = Object.hasOwn(places, name) ? places[name] : undefined;
  return place === undefined ? undefined : ofType('double', partAt(expr, place));
}

const partAt = (point: Expr, place: number): Expr => call('tupleElement', point, integer(place));

/** `52.5, 13.4`: a point as Elasticsearch 7.17 prints it (GeoPoint.toString). */
export const pointText = ({ expr }: TypedExpr): TypedExpr =>
  ofType(
    'string',
    call('concat', javaText(partAt(expr, 1)), param(', ', 'String'), javaText(partAt(expr, 2))),
  );

/** Degrees as Java's `Double.toString` writes them: below a thousandth with an exponent. */
function javaText(degrees: Expr): Expr {
  const text = call('toString', degrees);
  const size = call('abs', degrees);
  const isPlain = or([
    binary('>=', size, param(0.001, 'Float64')),
    binary('=', size, param(0, 'Float64')),
  ]);
  return call('multiIf', isPlain, withFraction(text), has(text, 'e'), exponent(text), small(text));
}

const withFraction = (text: Expr): Expr =>
  call('if', has(text, '.'), text, call('concat', text, dotZero));

const has = (text: Expr, sign: string): Expr =>
  binary('>', call('position', text, param(sign, 'String')), integer(0));

const dotZero = param('.0', 'String');

const replaced = (text: Expr, pattern: string, by: string): Expr =>
  call('replaceRegexpOne', text, param(pattern, 'String'), param(by, 'String'));

/** `4e-8` and `4.2e-8` as `4.0E-8` and `4.2E-8`. */
const exponent = (text: Expr): Expr =>
  replaced(replaced(text, String.raw`^(-?\d)e`, String.raw`\1.0e`), 'e', 'E');

/** `0.0001` and `-0.00012` as `1.0E-4` and `-1.2E-4`. */
function small(text: Expr): Expr {
  const zeros = call('length', call('extract', text, param(String.raw`0\.(0+)`, 'String')));
  const digits = replaced(text, String.raw`0\.0+(\d)(\d*)`, String.raw`\1.\2`);
  return call(
    'concat',
    replaced(digits, String.raw`\.$`, '.0'),
    param('E-', 'String'),
    call('toString', binary('+', zeros, integer(1))),
  );
}
