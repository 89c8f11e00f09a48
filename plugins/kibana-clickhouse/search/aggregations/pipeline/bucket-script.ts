import type { AggregationType } from '../definition';
import { checkOptions, option, wrongType } from '../options';
import { namedValues, parseNamedPaths } from './named-paths';
import { withAnswers } from './over-values';
import { declaredTexts, requireOptions } from './pipeline-options';
import { needsBuckets } from './placement';
import { parseScriptOption } from '../../scripts/script-option';
import { isNumber, toDouble } from '../../scripts/values';
import { simpleValue } from './simple-value';

const name = 'bucket_script';

/**
 * `{"bucket_script": {"buckets_path": {"a": "errors", "b": "_count"}, "script": "params.a / params.b"}}`: a number for each bucket.
 * None where a value is a gap, unless `insert_zeros` (Elasticsearch 7.17 `BucketScriptPipelineAggregator`). Refused: scripts
 * beyond arithmetic and conditions.
 */
export const bucketScript: AggregationType = {
  name,
  parse(body, aggregation) {
    checkOptions(name, body, { used: ['buckets_path', 'script', 'gap_policy', 'format'] });
    requireOptions(body, ['buckets_path', 'script']);
    const paths = parseNamedPaths(body['buckets_path']);
    if (!paths) throw wrongType(name, 'buckets_path', body['buckets_path'] ?? null);
    const { script, params } = parseScriptOption(option(body, 'script') ?? '');
    const { gapPolicy, print } = declaredTexts(body, name);
    return {
      family: 'pipeline',
      type: name,
      params: { paths, script: script.source, gapPolicy },
      paths: paths.map(([, path]) => path),
      validate: needsBuckets(name, aggregation),
      overBuckets: (named, buckets, surroundings) => {
        const answers = buckets.map((bucket) => {
          const values = namedValues(bucket, paths, gapPolicy, surroundings);
          const isGap = [...values.values()].some((value) => value === null || Number.isNaN(value));
          if (isGap && gapPolicy !== 'insert_zeros') return undefined;
          const result = script.run({ params: new Map([...params, ...values]) }) ?? null;
          if (result === null) return undefined;
          if (!isNumber(result)) throw script.wrongResult(result, 'java.lang.Number');
          return simpleValue(toDouble(result), print);
        });
        return withAnswers(buckets, named, answers);
      },
    };
  },
};
