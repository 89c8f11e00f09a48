import {
  type JsonValue,
  isJsonArray,
  isJsonObject,
} from '../../../plugins/kibana-clickhouse/common/json/json';
import { writeJson } from '../../../plugins/kibana-clickhouse/common/json/write-json';
import { stringOf } from '../../../plugins/kibana-clickhouse/search/values/field-value';
import type { PipelineRewrite } from './definition';
import { at, without } from './json-path';

const mostTerms = 10_000;

/** `cumulative_cardinality`, by counting the terms that have been seen so far, for which each bucket is asked. */
export const cumulativeCardinality: PipelineRewrite = {
  type: 'cumulative_cardinality',
  judged: ({ buckets_path: path = '' }, siblings) => {
    const cardinality = at(siblings, stringOf(path), 'cardinality');
    const source = isJsonObject(cardinality) ? without(cardinality, 'precision_threshold') : {};
    return { terms: { ...source, size: mostTerms } };
  },
  values: (_options, _buckets, asked) => {
    const seen = new Set<string>();
    return asked.map((answer): JsonValue => {
      const terms = at(answer, 'buckets');
      for (const term of isJsonArray(terms) ? terms : []) seen.add(writeJson(at(term, 'key')));
      return { value: seen.size };
    });
  },
};
