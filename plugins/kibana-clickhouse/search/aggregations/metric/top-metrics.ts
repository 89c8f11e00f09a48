import {
  contentParseError,
  illegalArgument,
  shardIllegalArgument,
} from '../../../common/errors/catalogue';
import {
  isJsonArray,
  isJsonObject,
  type JsonObject,
  type JsonValue,
} from '../../../common/json/json';
import type { SortKey } from '../../request/hit-options';
import { parseSort } from '../../request/sort';
import type { AggregationType } from '../definition';
import { checkOptions, integerOption, option, tokenType } from '../options';

const name = 'top_metrics';

/** Elasticsearch's default of `index.max_top_metrics_size`. */
const largestSize = 10;

/**
 * `{"top_metrics": {"metrics": {"field": "bytes"}, "sort": {"@timestamp": "desc"}}}`: values of the first documents of each bucket,
 * beside what they are sorted by (Elasticsearch 8 `TopMetricsAggregator`). Of several values of a number the mean is
 * shown, of other fields the first. Refused: more than one sort key, an order of buckets by it.
 */
export const topMetrics: AggregationType = {
  name,
  parse(body) {
    checkOptions(name, body, { used: ['metrics', 'size', 'sort'] });
    const metrics = metricFields(option(body, 'metrics'));
    const sort = parseSortOption(option(body, 'sort'));
    const sorted = sort.kind === 'field' ? [sort.field] : [];
    return {
      family: 'hits',
      type: name,
      params: {
        size: parseSize(body),
        from: 0,
        sort: [sort],
        source: { enabled: false, includes: [], excludes: [] },
        fields: [],
        docvalueFields: [...new Set([...metrics, ...sorted])].map((pattern) => ({ pattern })),
        showsId: false,
        version: false,
        seqNoPrimaryTerm: false,
        trackScores: false,
      },
      assemble: (hits) => ({
        top: hits.filter(isJsonObject).map((hit) => ({
          sort: sortValues(hit, sorted[0]),
          metrics: Object.fromEntries(metrics.map((field) => [field, metricValue(hit, field)])),
        })),
      }),
    };
  },
};

function metricFields(value: JsonValue | undefined): readonly string[] {
  if (value === undefined) throw illegalArgument('Required [metrics]');
  const listed = isJsonArray(value) ? value : [value];
  return listed.map((metric) => {
    if (!isJsonObject(metric))
      throw contentParseError(
        `[${name}] metrics doesn't support values of type: ${tokenType(metric)}`,
      );
    checkOptions('metrics', metric, {
      used: ['field'],
      refused: ['missing', 'script', 'time_zone'],
    });
    const { field } = metric;
    if (typeof field === 'string') return field;
    throw illegalArgument('Required one of fields [field, script], but none were specified. ');
  });
}

function parseSortOption(value: JsonValue | undefined): SortKey {
  if (value === undefined) throw illegalArgument('Required [sort]');
  const [first, second] = parseSort(value);
  if (first && !second) return first;
  throw illegalArgument('[top_metrics] only supports sorting on a single field');
}

function parseSize(body: JsonObject): number {
  const size = integerOption(body, 'size', name) ?? 1;
  if (size < 1) throw illegalArgument('[size] must be more than 0 but was [' + String(size) + ']');
  if (size <= largestSize) return size;
  throw shardIllegalArgument(
    `[top_metrics.size] must not be more than [${String(largestSize)}] but was [${String(size)}]. This limit can be set by changing the [index.max_top_metrics_size] index level setting.`,
  );
}

const valuesOf = (hit: JsonObject, field: string): readonly JsonValue[] => {
  const values = isJsonObject(hit['fields']) ? hit['fields'][field] : undefined;
  return isJsonArray(values) ? values : [];
};

function metricValue(hit: JsonObject, field: string): JsonValue {
  const values = valuesOf(hit, field);
  const numbers = values.filter((value) => typeof value === 'number' || typeof value === 'bigint');
  if (numbers.length < 2 || numbers.length < values.length) return asText(values[0] ?? null);
  const mean = numbers.reduce<number>((sum, value) => sum + Number(value), 0) / numbers.length;
  return numbers.every((value) => Number.isInteger(Number(value))) ? Math.round(mean) : mean;
}

/** A date stands as its text, a boolean as its word, other values as they sort. */
function sortValues(hit: JsonObject, field: string | undefined): readonly JsonValue[] {
  const sort = isJsonArray(hit['sort']) ? hit['sort'] : [];
  const shown = field === undefined ? null : asText(valuesOf(hit, field)[0] ?? null);
  return typeof shown === 'string' ? [shown] : sort;
}

const asText = (value: JsonValue): JsonValue =>
  typeof value === 'boolean' ? String(value) : value;
