import { ScriptFault } from './arithmetic';

type Values = readonly number[];

const present = (values: Values): Values => values.filter((value) => !Number.isNaN(value));

/** Java's sum of a stream of doubles: compensated (`DoubleStream.sum`). */
function sum(values: Values): number {
  let [total, lost, plain] = [0, 0, 0];
  for (const value of values) {
    const corrected = value - lost;
    const next = total + corrected;
    [lost, total, plain] = [next - total - corrected, next, plain + value];
  }
  const exact = total - lost;
  return Number.isNaN(exact) && !Number.isFinite(plain) ? plain : exact;
}

const extreme = (choose: (a: number, b: number) => number, values: Values): number =>
  values.length === 0 ? NaN : values.reduce(choose);

function unweightedAvg(values: Values): number {
  const known = present(values);
  return known.length === 0 ? NaN : known.reduce((a, b) => a + b, 0) / known.length;
}

/** The mean of squares is a compensated sum, too (`DoubleStream.average`). */
function stdDev(values: Values, avg: number): number {
  if (Number.isNaN(avg)) return NaN;
  const squares = present(values).map((value) => (value - avg) ** 2);
  return squares.length === 0 ? NaN : Math.sqrt(sum(squares) / squares.length);
}

function linearWeightedAvg(values: Values): number {
  let [weighted, weights] = [0, 1];
  for (const [i, value] of present(values).entries()) {
    weighted += value * (i + 1);
    weights += i + 1;
  }
  return weights === 1 ? NaN : weighted / weights;
}

function ewma(values: Values, alpha: number): number {
  const [first = NaN, ...rest] = present(values);
  return rest.reduce((avg, value) => value * alpha + avg * (1 - alpha), first);
}

/** The forecast is the level alone, as Elasticsearch has it. */
function holt(values: Values, alpha: number, beta: number): number {
  const [first = NaN, ...rest] = present(values);
  let [level, trend] = [first, 0];
  for (const value of rest) {
    const last = level;
    level = alpha * value + (1 - alpha) * (last + trend);
    trend = beta * (level - last) + (1 - beta) * trend;
  }
  return level;
}

interface Seasons {
  readonly alpha: number;
  readonly beta: number;
  readonly gamma: number;
  /** Values in a season. */
  readonly period: number;
  readonly multiplicative: boolean;
}

function holtWinters(values: Values, seasons: Seasons): number {
  if (values.length === 0) return NaN;
  const { period, multiplicative } = seasons;
  if (values.length < period * 2)
    throw new ScriptFault(
      'illegal_argument_exception',
      `Holt-Winters aggregation requires at least (2 * period == 2 * ${String(period)} == ${String(2 * period)}) data-points to function.  Only [${String(values.length)}] were provided.`,
    );
  const known = present(values).map((value) => value + (multiplicative ? 1e-10 : 0));
  const { level, trend, seasonal } = smooth(known, seasons);
  const season = seasonal[values.length - period] ?? NaN;
  return multiplicative ? (level + trend) * season : level + trend + season;
}

interface Smoothed {
  readonly level: number;
  readonly trend: number;
  readonly seasonal: readonly number[];
}

function smooth(values: Values, { alpha, beta, gamma, period, multiplicative }: Seasons): Smoothed {
  const at = (i: number): number => values[i] ?? 0;
  // the trend starts at none, whatever the first two seasons say
  let [level, trend] = [values.slice(0, period).reduce((a, b) => a + b, 0) / period, 0];
  const seasonal = values.slice(0, period).map((value) => (level === 0 ? 0 : value / level));
  for (let i = period; i < values.length; i += 1) {
    const [last, lastTrend, season] = [level, trend, seasonal[i - period] ?? 0];
    const own = multiplicative ? at(i) / season : at(i) - season;
    level = alpha * own + (1 - alpha) * (last + lastTrend);
    trend = beta * (level - last) + (1 - beta) * lastTrend;
    // minus in the second, as Elasticsearch has it
    const rest = multiplicative ? at(i) / (last + lastTrend) : at(i) - (last - lastTrend);
    seasonal.push(gamma * rest + (1 - gamma) * season);
  }
  return { level, trend, seasonal };
}

/** A function of `MovingFunctions`: of values, of numbers behind them, and of a flag at the end. */
export interface MovingFunction {
  /** Numbers behind the values. */
  readonly numbers: number;
  readonly flag?: boolean;
  run(values: Values, numbers: readonly number[], flag: boolean): number;
}

/** The functions that `moving_fn` may call (Elasticsearch 7.17 `MovingFunctions`), by name. */
export const movingFunctions: Readonly<Record<string, MovingFunction>> = {
  max: { numbers: 0, run: (values) => extreme((a, b) => Math.max(a, b), values) },
  min: { numbers: 0, run: (values) => extreme((a, b) => Math.min(a, b), values) },
  sum: { numbers: 0, run: (values) => sum(present(values)) },
  stdDev: { numbers: 1, run: (values, [avg = NaN]) => stdDev(values, avg) },
  unweightedAvg: { numbers: 0, run: unweightedAvg },
  linearWeightedAvg: { numbers: 0, run: linearWeightedAvg },
  ewma: { numbers: 1, run: (values, [alpha = NaN]) => ewma(values, alpha) },
  holt: { numbers: 2, run: (values, [alpha = NaN, beta = NaN]) => holt(values, alpha, beta) },
  holtWinters: {
    numbers: 4,
    flag: true,
    run: (values, [alpha = NaN, beta = NaN, gamma = NaN, period = NaN], multiplicative) =>
      holtWinters(values, { alpha, beta, gamma, period, multiplicative }),
  },
};
