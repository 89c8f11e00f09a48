import {
  type JsonObject,
  type JsonValue,
  isJsonArray,
  isJsonObject,
} from '../../../plugins/kibana-clickhouse/common/json/json';
import { stringOf } from '../../../plugins/kibana-clickhouse/search/values/field-value';
import type { AggregationRewrite } from './definition';
import { at } from './json-path';

/**
 * `top_metrics` by `top_hits` with the same order. Of several values of a metric the mean is shown, and what has a format
 * (dates, booleans) as text, in `sort` too (`TopMetricsAggregator`, `SortValue`).
 */
export const topMetrics: AggregationRewrite = {
  type: 'top_metrics',
  judged: (options) => ({
    top_hits: {
      size: options['size'] ?? 1,
      _source: false,
      docvalue_fields: [...new Set([...metricFields(options), ...sortFields(options)])],
      ...(options['sort'] !== undefined && { sort: options['sort'] }),
    },
  }),
  restored: (answer, options) => {
    const hits = at(answer, 'hits', 'hits');
    if (!isJsonArray(hits)) return answer;
    const top = hits.map((hit) => ({
      sort: sortValues(hit, options),
      metrics: Object.fromEntries(
        metricFields(options).map((field) => [field, metricValue(at(hit, 'fields', field))]),
      ),
    }));
    return { top };
  },
};

/** In the order asked for. */
function metricFields({ metrics = [] }: JsonObject): readonly string[] {
  return (isJsonArray(metrics) ? metrics : [metrics]).map((one) => stringOf(at(one, 'field')));
}

function sortFields({ sort = [] }: JsonObject): readonly string[] {
  return (isJsonArray(sort) ? sort : [sort])
    .flatMap((key) => (isJsonObject(key) ? Object.keys(key) : [stringOf(key)]))
    .filter((name) => !name.startsWith('_'));
}

function metricValue(values: JsonValue): JsonValue {
  if (!isJsonArray(values)) return null;
  const numbers = values.filter((value) => typeof value === 'number');
  if (numbers.length < 2 || numbers.length < values.length) return asText(values[0] ?? null);
  const mean = numbers.reduce((sum, value) => sum + value, 0) / numbers.length;
  return numbers.every(Number.isInteger) ? Math.round(mean) : mean;
}

/** A `top_hits` shows numbers where `top_metrics` shows what the field's format makes of them. */
function sortValues(hit: JsonValue, options: JsonObject): JsonValue {
  const sort = at(hit, 'sort');
  const raw = isJsonArray(sort) ? sort : [];
  return raw.map((value, i) => {
    const shown = at(hit, 'fields', sortFields(options)[i] ?? '');
    const first = isJsonArray(shown) ? asText(shown[0] ?? null) : null;
    return typeof first === 'string' ? first : value;
  });
}

const asText = (value: JsonValue): JsonValue =>
  typeof value === 'boolean' ? String(value) : value;
