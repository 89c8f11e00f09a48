import { illegalArgument } from '../../../common/errors/catalogue';
import type { JsonObject } from '../../../common/json/json';
import { parseField } from '../../request/parse-field';
import type { AggregationType } from '../definition';
import { failedBuild } from '../metric/percentile-options';
import { checkOptions, integerOption, option } from '../options';
import { bucketValues, withAnswers } from './over-values';
import { declaredOptions, requireOptions } from './pipeline-options';
import { needsHistogram } from './placement';
import { parseScriptOption, type ScriptOption } from '../../scripts/script-option';
import { isNumber, toDouble } from '../../scripts/values';
import { simpleValue } from './simple-value';

const name = 'moving_fn';

/**
 * `{"moving_fn": {"buckets_path": "bytes", "window": 5, "script": "MovingFunctions.unweightedAvg(values)"}}`: what the script makes
 * of the `window` values before each value, moved by `shift`; gaps are no values and have none (Elasticsearch 7.17
 * `MovFnPipelineAggregator`). Refused: scripts beyond `MovingFunctions`, arithmetic and conditions.
 */
export const movingFn: AggregationType = {
  name,
  parse(body, aggregation) {
    checkOptions(name, body, {
      used: ['buckets_path', 'window', 'script', 'shift', 'gap_policy', 'format'],
    });
    requireOptions(body, ['buckets_path', 'script', 'window']);
    const options = declaredOptions(body, name);
    const window = parseWindow(body);
    const shift = integerOption(body, 'shift', name) ?? 0;
    const script = parseScriptOption(option(body, 'script') ?? '');
    return {
      family: 'pipeline',
      type: name,
      params: { ...options, window, shift, script: script.script.source },
      paths: options.paths,
      validate: needsHistogram(name, aggregation),
      overBuckets: (named, buckets, surroundings) => {
        const values = bucketValues(buckets, options, surroundings).map((value = NaN) => value);
        const known = values.filter((value) => !Number.isNaN(value));
        let index = 0;
        const answers = values.map((value): JsonObject | undefined => {
          if (Number.isNaN(value)) return undefined;
          const [from, to] = [index - window + shift, index + shift];
          index += 1;
          const within = known.slice(Math.max(from, 0), Math.max(to, 0));
          return simpleValue(resultOf(script, within), options.print);
        });
        return withAnswers(buckets, named, answers);
      },
    };
  },
};

/** Whichever is given last, the window is checked when all three are there. */
const parseWindow = (body: JsonObject): number => {
  const last = Object.keys(body).findLast((key) => required.includes(key)) ?? 'window';
  const window = integerOption(body, 'window', name) ?? 0;
  return parseField(name, last, () => {
    if (window > 0) return window;
    throw failedBuild(name, illegalArgument('[window] must be a positive, non-zero integer.'));
  });
};

const required: readonly string[] = ['buckets_path', 'script', 'window'];

function resultOf({ script, params }: ScriptOption, values: readonly number[]): number {
  // a script that ends without a value gives 0, as Java's default
  const result = script.run({ params, values }) ?? { int: 0 };
  if (isNumber(result)) return toDouble(result);
  throw script.wrongResult(result, 'double');
}
