import { unsupported } from '../../common/errors/catalogue';
import { ScriptFault } from './arithmetic';
import { movingFunctions } from './moving-functions';
import type { ScriptLang } from './parse';
import { isDoubles, isNumber, type ScriptValue, toDouble, typeName } from './values';

type Unary = Readonly<Record<string, (value: number) => number>>;
type Binary = Readonly<Record<string, (left: number, right: number) => number>>;

const ofOne: Unary = {
  abs: (value) => Math.abs(value),
  ceil: (value) => Math.ceil(value),
  floor: (value) => Math.floor(value),
  sqrt: (value) => Math.sqrt(value),
  exp: (value) => Math.exp(value),
  log10: (value) => Math.log10(value),
};
const ofTwo: Binary = {
  min: (left, right) => Math.min(left, right),
  max: (left, right) => Math.max(left, right),
  pow: (left, right) => left ** right,
};
const logarithm = (value: number): number => Math.log(value);
const ofMath: Unary = { ...ofOne, log: logarithm };
const ofExpressions: Unary = { ...ofOne, ln: logarithm };

/** What a call gives: of `Math`, of `MovingFunctions`, of `Double`. Refuses other functions by name. */
export function callFunction(
  name: string,
  args: readonly ScriptValue[],
  lang: ScriptLang,
): ScriptValue {
  const [owner, method = ''] = name.split('.');
  if (lang === 'expression') return mathCall(ofExpressions, name, { method: name, args });
  if (owner === 'Math') return mathCall(ofMath, name, { method, args });
  if (owner === 'MovingFunctions') return movingCall(method, name, args);
  if (name === 'Double.isNaN' && args.length === 1) return Number.isNaN(double(args[0] ?? null));
  throw unsupported(`[${name}] in a script`);
}

function mathCall(
  unary: Unary,
  name: string,
  { method, args }: { readonly method: string; readonly args: readonly ScriptValue[] },
): number {
  const [left = null, right = null] = args;
  const [one, two] = [own(unary, method), own(ofTwo, method)];
  if (one && args.length === 1) return one(double(left));
  if (two && args.length === 2) return two(double(left), double(right));
  throw unsupported(`[${name}] of [${String(args.length)}] arguments in a script`);
}

const own = <T>(functions: Readonly<Record<string, T>>, name: string): T | undefined =>
  Object.hasOwn(functions, name) ? functions[name] : undefined;

function movingCall(method: string, name: string, args: readonly ScriptValue[]): number {
  const found = own(movingFunctions, method);
  const [values = null, ...rest] = args;
  const numbers = found ? rest.slice(0, found.numbers) : [];
  const [flag = false, ...more] = rest.slice(numbers.length);
  const isFlagged = rest.length > numbers.length;
  if (
    found?.numbers !== numbers.length ||
    isFlagged !== (found.flag ?? false) ||
    !isDoubles(values) ||
    typeof flag !== 'boolean' ||
    more.length > 0
  )
    throw unsupported(`[${name}] of these arguments in a script`);
  return found.run(values, numbers.map(double), flag);
}

function double(value: ScriptValue): number {
  if (isNumber(value)) return toDouble(value);
  throw new ScriptFault(
    'class_cast_exception',
    `Cannot cast from [${typeName(value)}] to [double].`,
  );
}
