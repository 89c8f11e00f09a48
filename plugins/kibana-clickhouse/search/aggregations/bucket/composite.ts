import { call, column, lambda, param } from '../../../clickhouse/sql/build';
import type { Expr } from '../../../clickhouse/sql/nodes';
import {
  dateParseError,
  illegalArgument,
  shardIllegalArgument,
} from '../../../common/errors/catalogue';
import { ElasticsearchError } from '../../../common/errors/elasticsearch-error';
import type { JsonObject, JsonValue } from '../../../common/json/json';
import { parseField } from '../../request/parse-field';
import type {
  AggregationContext,
  AggregationType,
  BucketNode,
  BucketResult,
  KeyOrder,
  Level,
} from '../definition';
import { checkOptions, integerOption, objectOption } from '../options';
import { compoundKey, isAfter, keyTexts, partOf } from './compound-key';
import type { CompositeSource, ResolvedSource } from './composite-placement';
import { parseSources } from './composite-source';

const name = 'composite';

interface CompositeParams {
  readonly sources: readonly CompositeSource[];
  readonly size: number;
  readonly after: JsonObject | undefined;
  /** The aggregation's name. */
  readonly aggregation: string;
}

/**
 * `{"composite": {"size": 100, "sources": [{"host": {"terms": {"field": "host"}}}], "after": {"host": "a"}}}`: a bucket for each
 * combination of values, in the order of the sources, page after page: `after_key` begins the next one (Elasticsearch
 * 7.17 `CompositeAggregationBuilder`). Sources: terms, histogram, date_histogram. Refused: geotile_grid, scripts.
 */
export const composite: AggregationType = {
  name,
  parse(body, aggregation) {
    checkOptions(name, body, { used: ['sources', 'size', 'after'] });
    const params: CompositeParams = {
      sources: parseSources(body, name),
      size: parseSize(body, aggregation),
      after: objectOption(body, 'after', name),
      aggregation,
    };
    return {
      family: 'bucket',
      type: name,
      params,
      topOnly: true,
      ...roundingOf(params.sources),
      level: (context) => compositeLevel(params, context),
      assemble: (result, _empty, context) => assemble(params, result, context),
    };
  },
};

const parseSize = (body: JsonObject, aggregation: string): number =>
  parseField(name, 'size', () => {
    const size = integerOption(body, 'size', name) ?? 10;
    if (size > 0) return size;
    throw illegalArgument(
      `[size] must be greater than 0. Found [${String(size)}] in [${aggregation}]`,
    );
  });

/** Of the one source of dates, if there is one. */
function roundingOf(sources: readonly CompositeSource[]): Pick<BucketNode, 'rounding'> {
  const dated = sources.flatMap(({ rounding }, place) => (rounding ? [{ rounding, place }] : []));
  const [only, second] = dated;
  if (!only || second) return {};
  const { rounding: by, place } = only;
  return { rounding: { by, start: (key) => Number(keyTexts(key)[place]) } };
}

function compositeLevel(params: CompositeParams, context: AggregationContext): Level | undefined {
  const resolved = params.sources.map((source) => source.resolve(context));
  const parts = resolved.flatMap(({ part }) => (part ? [part] : []));
  const after = params.after && afterCondition(params.after, params, resolved);
  // an unmapped source without missing_bucket: no document has a value
  if (parts.length < resolved.length) return undefined;
  const { key, keys } = compoundKey(parts);
  return {
    key: after ? filteredKey(key, keys, after) : key,
    keys,
    manyKeys: true,
    order: resolved.map((source, i) => orderOf(source, i)),
    limit: params.size,
    minDocCount: 1,
  };
}

const orderOf = ({ kind, direction, nulls }: ResolvedSource, index: number): KeyOrder => ({
  by: 'key',
  direction,
  nulls,
  part: (key) => partOf(key, index, kind),
});

const filteredKey = (key: Expr, keys: 'single' | 'expanded', after: (key: Expr) => Expr): Expr =>
  keys === 'expanded'
    ? call('arrayFilter', lambda('wanted', after(column('wanted'))), key)
    : call('if', after(key), key, param(null, 'Nullable(String)'));

function afterCondition(
  after: JsonObject,
  { sources, aggregation }: CompositeParams,
  resolved: readonly ResolvedSource[],
): (key: Expr) => Expr {
  if (Object.keys(after).length !== sources.length) {
    const missing = sources.find((source) => !(source.name in after));
    throw shardIllegalArgument(
      missing
        ? `Missing value for [after.${missing.name}]`
        : `[after] has ${String(Object.keys(after).length)} value(s) but [sources] has ${String(sources.length)}`,
    );
  }
  const parts = sources.map((source, i) => {
    const found = resolved[i];
    const given = after[source.name];
    if (given === undefined || !found)
      throw shardIllegalArgument(`Missing value for [after.${source.name}]`);
    const { kind, direction, nulls } = found;
    return {
      value: afterValue(given, source, found, { aggregation, index: i }),
      kind,
      direction,
      nulls,
    };
  });
  return (key) => isAfter(key, parts);
}

function afterValue(
  given: JsonValue,
  source: CompositeSource,
  { read }: ResolvedSource,
  place: { readonly aggregation: string; readonly index: number },
): Expr | undefined {
  if (given === null) {
    if (source.missingBucket) return undefined;
    throw shardIllegalArgument(
      `Invalid value for [after.${source.name}], expected comparable, got [null]`,
    );
  }
  try {
    return read(given);
  } catch (error) {
    if (!(error instanceof ElasticsearchError)) throw error;
    const reason = `incompatible value in the position ${String(place.index)}: ${error.message}`;
    throw dateParseError(
      `Cannot set after key in the composite aggregation [${place.aggregation}] - ${reason}`,
      [
        { type: 'illegal_argument_exception', reason },
        { type: error.type, reason: error.message },
      ],
    );
  }
}

function assemble(
  { sources }: CompositeParams,
  { buckets }: BucketResult,
  context: AggregationContext,
): JsonObject {
  const resolved = sources.map((source) => source.resolve(context));
  const written = buckets.map(({ key, docCount, subs }) => {
    const texts = keyTexts(key);
    const values = sources.map((source, i): [string, JsonValue] => {
      const text = texts[i] ?? null;
      return [source.name, text === null ? null : (resolved[i]?.print(text) ?? null)];
    });
    return { key: Object.fromEntries(values), doc_count: docCount, ...subs };
  });
  const last = written.at(-1);
  return { ...(last && { after_key: last.key }), buckets: written };
}
