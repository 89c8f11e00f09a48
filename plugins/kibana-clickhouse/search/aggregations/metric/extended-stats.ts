import { binary, call, integer, param } from '../../../clickhouse/sql/build';
import type { Expr } from '../../../clickhouse/sql/nodes';
import { illegalArgument, shardIllegalArgument } from '../../../common/errors/catalogue';
import type { JsonObject, JsonValue } from '../../../common/json/json';
import { parseField } from '../../request/parse-field';
import { aggregatedField } from '../aggregated-field';
import type { AggregationContext, AggregationType, OrderColumn } from '../definition';
import {
  measurableTypes,
  type NumericValues,
  numericValues,
  overValues,
  parseValues,
  valuesOptions,
} from '../numeric-values';
import { javaDouble } from '../../values/java-double';
import { checkOptions, doubleOption } from '../options';
import { numberCell, type ValueFormat, valueFormat } from '../value-text';
import { readSums, squareColumn, sumColumns, sumScaling } from './sums';
import { printed, statsOrder, writeStats } from './stats';

const name = 'extended_stats';
const source = { types: measurableTypes, aggregation: name };

/**
 * `{"extended_stats": {"field": "bytes", "sigma": 3}}`: `stats`, the sum of squares, variances, deviations and the mean
 * plus and minus `sigma` (default 2) deviations, by the formulas of Elasticsearch 7.17 (`InternalExtendedStats`), which
 * follow from the sums. Refused: `script`.
 */
export const extendedStats: AggregationType = {
  name,
  parse(body, aggregation) {
    checkOptions(name, body, {
      used: [...valuesOptions, 'sigma'],
      ignored: ['value_type'],
      refused: ['script'],
    });
    const options = parseValues(body, name);
    const sigma = parseSigma(body, aggregation);
    const format = (context: AggregationContext): ValueFormat | undefined =>
      valueFormat(aggregatedField(options.field, source.types, name, context), options.format);
    return {
      family: 'metric',
      type: name,
      params: { ...options, sigma },
      scaling: [...sumScaling, 'sum'],
      columns: (context) => {
        format(context);
        const values = numericValues(options, source, context);
        return values ? [...sumColumns(values), squareColumn(values)] : [];
      },
      assemble: (cells, context) => {
        const print = format(context);
        const sums = readSums(cells);
        const spread = spreadOf(sums, numberCell(cells[4]));
        return { ...writeStats(sums, print), ...writeSpread(spread, sigma, print) };
      },
      empty: () => ({ ...writeStats(readSums([])), ...writeSpread(undefined, sigma) }),
      orderColumn: (path, context) => {
        const values = numericValues(options, source, context);
        return statsOrder(path, values) ?? spreadOrder(path, values, sigma);
      },
    };
  },
};

const parseSigma = (body: JsonObject, aggregation: string): number =>
  parseField(name, 'sigma', () => {
    const sigma = doubleOption(body, 'sigma', name) ?? 2;
    if (sigma >= 0) return sigma;
    throw illegalArgument(
      `[sigma] must be greater than or equal to 0. Found [${javaDouble(sigma)}] in [${aggregation}]`,
    );
  });

/** What is known of how far values spread. */
export interface Spread {
  readonly avg: number;
  readonly squares: number;
  readonly population: number;
  readonly sampling: number;
}

/** The spread of values, from their count, sum and sum of squares; undefined of none. */
export function spreadOf(
  { count, sum }: { readonly count: number; readonly sum: number },
  squares: number,
): Spread | undefined {
  if (count === 0) return undefined;
  const above = squares - (sum * sum) / count;
  return {
    avg: sum / count,
    squares,
    population: Math.max(above / count, 0),
    // of one value there is none: NaN, as Java divides 0 by 0
    sampling: count === 1 ? NaN : Math.max(above / (count - 1), 0),
  };
}

/** JSON has no NaN: Elasticsearch writes it as text. */
const numberOrText = (value: number): JsonValue =>
  Number.isFinite(value) ? value : javaDouble(value);

/** `sum_of_squares` to `std_deviation_bounds`, and their texts where the values have a format. */
export function writeSpread(
  spread: Spread | undefined,
  sigma: number,
  print?: ValueFormat,
): JsonObject {
  const numbers = spread ? spreadNumbers(spread) : {};
  const bounds = spread ? boundsOf(spread, sigma) : {};
  const all = (names: readonly string[], values: Numbers): JsonObject =>
    Object.fromEntries(
      names.map((key) => [key, key in values ? numberOrText(values[key] ?? NaN) : null]),
    );
  return {
    ...all(spreadNames, numbers),
    std_deviation_bounds: all(boundNames, bounds),
    ...(print && spread && writeTexts(numbers, bounds, print)),
  };
}

function writeTexts(numbers: Numbers, bounds: Numbers, print: ValueFormat): JsonObject {
  const texts = Object.entries(numbers).map(([key, value]) => [
    `${key}_as_string`,
    // booleans without quotes, but not those of deviations
    key.startsWith('std_') ? print(value) : printed(value, print),
  ]);
  const ofBounds = Object.entries(bounds).map(([key, value]) => [key, print(value)]);
  return {
    ...(Object.fromEntries(texts) as JsonObject),
    std_deviation_bounds_as_string: Object.fromEntries(ofBounds) as JsonObject,
  };
}

type Numbers = Readonly<Record<string, number>>;

const spreadNames = [
  'sum_of_squares',
  'variance',
  'variance_population',
  'variance_sampling',
  'std_deviation',
  'std_deviation_population',
  'std_deviation_sampling',
] as const;

const boundNames = [
  'upper',
  'lower',
  'upper_population',
  'lower_population',
  'upper_sampling',
  'lower_sampling',
] as const;

const spreadNumbers = ({ squares, population, sampling }: Spread): Numbers => ({
  sum_of_squares: squares,
  variance: population,
  variance_population: population,
  variance_sampling: sampling,
  std_deviation: Math.sqrt(population),
  std_deviation_population: Math.sqrt(population),
  std_deviation_sampling: Math.sqrt(sampling),
});

function boundsOf({ avg, population, sampling }: Spread, sigma: number): Numbers {
  const [wide, sampled] = [Math.sqrt(population) * sigma, Math.sqrt(sampling) * sigma];
  return {
    upper: avg + wide,
    lower: avg - wide,
    upper_population: avg + wide,
    lower_population: avg - wide,
    upper_sampling: avg + sampled,
    lower_sampling: avg - sampled,
  };
}

/** The same formulas in SQL, for an order by `std_deviation` and its like. */
function spreadOrder(
  path: string,
  values: NumericValues | undefined,
  sigma: number,
): OrderColumn | undefined {
  if (unordered.includes(path))
    throw shardIllegalArgument(`Unknown value [${path}] in common stats aggregation`);
  const key = path === 'sum_of_squares' ? path : orderNames.find((known) => known === path);
  if (key === undefined) return undefined;
  if (!values) return { value: undefined, missing: 'last' };
  if (key === 'sum_of_squares') return { value: squareColumn(values), missing: 0 };
  return { value: spreadExpr(key, values, sigma), missing: 'last' };
}

const orderNames = [...spreadNames.slice(1), 'std_upper', 'std_lower'];

/** Elasticsearch knows their names, and yet not their values. */
const unordered = [
  'std_upper_population',
  'std_lower_population',
  'std_upper_sampling',
  'std_lower_sampling',
];

function spreadExpr(key: string, values: NumericValues, sigma: number): Expr {
  const [sum, count] = [overValues('sumKahanOrNull', values), overValues('count', values)];
  const above = binary('-', squareColumn(values), binary('/', binary('*', sum, sum), count));
  const divisor = key.endsWith('_sampling') ? binary('-', count, integer(1)) : count;
  // not greatest: of NULL it is NULL in one version of ClickHouse, and 0 in another
  const isBelow = binary('<', above, integer(0));
  const variance = binary('/', call('if', isBelow, param(0, 'Float64'), above), divisor);
  if (key.startsWith('variance')) return variance;
  const deviation = call('sqrt', variance);
  if (key.startsWith('std_deviation')) return deviation;
  const far = binary('*', deviation, param(sigma, 'Float64'));
  return binary(key.startsWith('std_upper') ? '+' : '-', binary('/', sum, count), far);
}
