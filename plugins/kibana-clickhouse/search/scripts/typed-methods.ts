import { call, param } from '../../clickhouse/sql/build';
import { unsupported } from '../../common/errors/catalogue';
import { degreesOf, pointText } from './points';
import { asDouble, ofType, type TypedExpr } from './typed-expr';

/** Parts of a date in UTC (Elasticsearch 7.17 JodaCompatibleZonedDateTime), by the names of their properties. */
const dateParts: Readonly<Record<string, string>> = {
  year: 'toYear',
  monthValue: 'toMonth',
  monthOfYear: 'toMonth',
  dayOfMonth: 'toDayOfMonth',
  dayOfYear: 'toDayOfYear',
  dayOfWeek: 'toDayOfWeek',
  hour: 'toHour',
  hourOfDay: 'toHour',
  minute: 'toMinute',
  minuteOfHour: 'toMinute',
  second: 'toSecond',
  secondOfMinute: 'toSecond',
};

const partOfDate = (value: TypedExpr, fn: string) =>
  call('toInt32', call(fn, call('fromUnixTimestamp64Milli', value.expr, param('UTC', 'String'))));

/** A property of a value, `hour` of a date; `getHour()` is the same. Refuses others by name. */
export function propertyOf(value: TypedExpr, name: string): TypedExpr {
  if (value.type === 'date') {
    if (name === 'millis') return ofType('long', value.expr);
    if (name === 'dayOfWeekEnum') return ofType('weekday', partOfDate(value, 'toDayOfWeek'));
    const part = Object.hasOwn(dateParts, name) ? dateParts[name] : undefined;
    if (part !== undefined) return ofType('int', partOfDate(value, part));
  }
  const degrees = value.type === 'point' ? degreesOf(value, name) : undefined;
  if (degrees) return degrees;
  if (value.type === 'weekday' && name === 'value') return ofType('int', value.expr);
  throw unsupported(`[.${name}] of a ${value.type} in a script`);
}

/** A method of a value. Refuses others by name. */
export function methodOf(value: TypedExpr, name: string, args: readonly TypedExpr[]): TypedExpr {
  const [arg, ...more] = args;
  if (arg === undefined) return methodAlone(value, name);
  if (value.type === 'string' && arg.type === 'string' && more.length === 0)
    return textTest(value, name, arg);
  throw unsupported(`method [${name}] of a ${value.type} in a script`);
}

function methodAlone(value: TypedExpr, name: string): TypedExpr {
  const [, initial, rest = ''] = /^get([A-Z])(\w*)$/.exec(name) ?? [];
  if (initial !== undefined) return propertyOf(value, `${initial.toLowerCase()}${rest}`);
  if (value.type === 'date' && name === 'toInstant') return ofType('instant', value.expr);
  if (value.type === 'instant' && name === 'toEpochMilli') return ofType('long', value.expr);
  if (value.type === 'point' && name === 'toString') return pointText(value);
  if (value.type === 'string') return textMethod(value, name);
  throw unsupported(`method [${name}] of a ${value.type} in a script`);
}

function textMethod(text: TypedExpr, name: string): TypedExpr {
  switch (name) {
    case 'toUpperCase':
      return ofType('string', call('upperUTF8', text.expr));
    case 'toLowerCase':
      return ofType('string', call('lowerUTF8', text.expr));
    case 'isEmpty':
      return ofType('boolean', call('empty', text.expr));
    case 'toString':
      return text;
    default:
      throw unsupported(`method [${name}] of a string in a script`);
  }
}

const textTests: Readonly<Record<string, string>> = {
  contains: 'position',
  startsWith: 'startsWith',
  endsWith: 'endsWith',
  equals: 'equals',
};

function textTest(text: TypedExpr, name: string, other: TypedExpr): TypedExpr {
  const fn = Object.hasOwn(textTests, name) ? textTests[name] : undefined;
  if (fn === undefined) throw unsupported(`method [${name}] of a string in a script`);
  const tested = call(fn, text.expr, other.expr);
  return ofType('boolean', fn === 'position' ? call('greater', tested, param(0, 'UInt8')) : tested);
}

const ofOne: Readonly<Record<string, string>> = {
  abs: 'abs',
  ceil: 'ceil',
  floor: 'floor',
  sqrt: 'sqrt',
  exp: 'exp',
  log: 'log',
  log10: 'log10',
};
const ofTwo: Readonly<Record<string, string>> = { min: 'least', max: 'greatest', pow: 'pow' };

/** A function of `Math`, of doubles. Refuses others by name. */
export function callMath(name: string, args: readonly TypedExpr[]): TypedExpr {
  const functions = args.length === 1 ? ofOne : ofTwo;
  const method = name.startsWith('Math.') ? name.slice(5) : '';
  const fn = Object.hasOwn(functions, method) ? functions[method] : undefined;
  if (fn === undefined || args.length === 0 || args.length > 2)
    throw unsupported(`[${name}] of [${String(args.length)}] arguments in a script`);
  return ofType('double', call(fn, ...args.map(asDouble)));
}
