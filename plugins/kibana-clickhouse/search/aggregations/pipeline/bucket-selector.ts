import { parsingError } from '../../../common/errors/catalogue';
import type { JsonObject } from '../../../common/json/json';
import type { AggregationType } from '../definition';
import { type NamedPaths, namedValues, parseNamedPaths } from './named-paths';
import { readOptions } from './pipeline-options';
import { needsBuckets } from './placement';
import { parseScriptOption, type ScriptOption } from '../../scripts/script-option';
import type { ScriptMap } from '../../scripts/values';

const name = 'bucket_selector';

/**
 * `{"bucket_selector": {"buckets_path": {"a": "errors"}, "script": "params.a > 10"}}`: leaves out the buckets for which the script
 * is not true. A gap is NaN to it, unless `insert_zeros` (Elasticsearch 7.17 `BucketSelectorPipelineAggregator`). Refused:
 * scripts beyond arithmetic and conditions.
 */
export const bucketSelector: AggregationType = {
  name,
  parse(body, aggregation) {
    const { gapPolicy } = readOptions(body, {
      type: name,
      aggregation,
      kind: 'named',
      extra: { script: ['VALUE_STRING', 'START_OBJECT'] },
    });
    const paths = requiredPaths(body, aggregation);
    const script = requiredScript(body, aggregation);
    return {
      family: 'pipeline',
      type: name,
      params: { paths, script: script.script.source, gapPolicy },
      paths: paths.map(([, path]) => path),
      validate: needsBuckets(name, aggregation),
      overBuckets: (_, buckets, surroundings) =>
        buckets.filter((bucket) =>
          isSelected(script, namedValues(bucket, paths, gapPolicy, surroundings)),
        ),
    };
  },
};

function requiredPaths(body: JsonObject, aggregation: string): NamedPaths {
  const paths = parseNamedPaths(body['buckets_path']);
  if (paths) return paths;
  throw parsingError(
    `Missing required field [buckets_path] for bucket_selector aggregation [${aggregation}]`,
  );
}

function requiredScript({ script }: JsonObject, aggregation: string): ScriptOption {
  if (script !== undefined) return parseScriptOption(script);
  throw parsingError(
    `Missing required field [script] for bucket_selector aggregation [${aggregation}]`,
  );
}

function isSelected({ script, params }: ScriptOption, values: ScriptMap): boolean {
  const result = script.run({ params: new Map([...params, ...values]) }) ?? false;
  // an expression has no booleans
  if (script.lang === 'expression') return result === 1;
  if (typeof result === 'boolean') return result;
  throw script.wrongResult(result, 'boolean');
}
