import type { Field } from '../../../clickhouse/catalog/table';
import { alwaysTrue } from '../../../clickhouse/sql/build';
import { contentParseError, shardIllegalArgument } from '../../../common/errors/catalogue';
import { isJsonObject, type JsonObject, type JsonValue } from '../../../common/json/json';
import type { QueryNode } from '../../queries/definition';
import { parseQuery } from '../../queries/registry';
import { parseField } from '../../request/parse-field';
import { aggregatedField } from '../aggregated-field';
import type { AggregationContext, AggregationType, BucketResult, Level } from '../definition';
import {
  checkOptions,
  bucketSizeOption,
  minDocCountOption,
  option,
  requiredField,
  textOption,
} from '../options';
import { asShardArgument } from '../plain-error';
import { keysOfValues, typedValues } from '../typed-values';
import { valueFormat } from '../value-text';
import { filteredValues, type IncludeExclude, parseIncludeExclude } from './include-exclude';
import { type Heuristic, heuristics, standardHeuristic } from './significance';
import { termKey } from './term-key';
import { termTypes } from './term-types';

const name = 'significant_terms';

interface SignificantParams {
  readonly field: string;
  readonly size: number;
  readonly minDocCount: number;
  readonly format: string | undefined;
  readonly terms: IncludeExclude;
  readonly backgroundFilter: QueryNode | undefined;
  readonly heuristic: Heuristic;
  /** The aggregation's name. */
  readonly aggregation: string;
}

/**
 * `{"significant_terms": {"field": "path", "background_filter": {…}}}`: the values that stand more often in the documents of a bucket than
 * in the background, which is the whole index or what a query finds of it, the highest score first (Elasticsearch 7.17
 * `SignificantTermsAggregationBuilder`); equal scores by key. Refused: `script`, `missing`, heuristics other than `jlh` and
 * `percentage`.
 */
export const significantTerms: AggregationType = {
  name,
  parse(body, aggregation) {
    const params = parseSignificant(body, aggregation);
    return {
      family: 'bucket',
      type: name,
      params,
      exactCounts: true,
      level: (context) => significantLevel(params, context),
      assemble: (result, _empty, context) => write(result, params, context),
    };
  },
};

const otherHeuristics = ['mutual_information', 'chi_square', 'gnd', 'script_heuristic'];
const used = [
  'field',
  'size',
  'min_doc_count',
  'format',
  'include',
  'exclude',
  'background_filter',
];

function parseSignificant(body: JsonObject, aggregation: string): SignificantParams {
  const options = [...used, ...heuristics.keys()];
  // how shards gather terms: exact answers do not depend on it
  const ignored = ['shard_size', 'shard_min_doc_count', 'execution_hint', 'value_type'];
  const refused = ['script', 'missing', ...otherHeuristics];
  const unknown = Object.keys(body).find(
    (key) => ![...options, ...ignored, ...refused].includes(key),
  );
  if (unknown !== undefined) throw unknownOption(unknown);
  checkOptions(name, body, { used: options, ignored, refused });
  return {
    field: requiredField(body, name),
    size: parseField(name, 'size', () => bucketSizeOption(body, name, aggregation)),
    minDocCount: minDocCountOption(body, { type: name, aggregation }) ?? 3,
    format: textOption(body, 'format', name),
    terms: parseIncludeExclude(body, name),
    backgroundFilter: parseBackground(option(body, 'background_filter')),
    heuristic: parseHeuristic(body),
    aggregation,
  };
}

/** An option could be a heuristic of another plugin: Elasticsearch looks for its name. */
const unknownOption = (unknown: string): Error =>
  contentParseError(`[${name}] unknown field [${unknown}]`, [
    { type: 'named_object_not_found_exception', reason: `unknown field [${unknown}]` },
  ]);

const parseBackground = (value: JsonValue | undefined): QueryNode | undefined =>
  value === undefined ? undefined : parseField(name, 'background_filter', () => parseQuery(value));

/** The last heuristic that is named; its options are not answered. */
function parseHeuristic(body: JsonObject): Heuristic {
  const named = Object.keys(body).flatMap((key) => {
    const heuristic = heuristics.get(key);
    if (!heuristic) return [];
    const value = body[key];
    const [unknown] = isJsonObject(value) ? Object.keys(value) : [];
    if (unknown !== undefined) throw contentParseError(`[${key}] unknown field [${unknown}]`);
    return [heuristic];
  });
  return named.at(-1) ?? standardHeuristic;
}

function significantField(
  { field: named }: SignificantParams,
  context: AggregationContext,
): Field | undefined {
  const field = aggregatedField(named, termTypes, name, context);
  if (field?.type === 'float' || field?.type === 'double')
    throw shardIllegalArgument('No support for examining floating point numerics');
  return field;
}

function significantLevel(
  params: SignificantParams,
  context: AggregationContext,
): Level | undefined {
  const { terms, aggregation, format, backgroundFilter, heuristic } = params;
  const field = significantField(params, context);
  valueFormat(field, format);
  const { now } = context;
  const values = typedValues(field, undefined, { format, now });
  if (!values) return undefined;
  const limits = { aggregation, field, format, now };
  const expr = asShardArgument(() => filteredValues(values, terms, limits));
  return {
    ...keysOfValues(values, expr),
    manyKeys: true,
    order: [
      { by: 'score', direction: 'DESC', score: (counts) => heuristic.score(counts) },
      { by: 'key', direction: 'ASC' },
    ],
    limit: params.size,
    minDocCount: Math.max(params.minDocCount, 1),
    background: { id: params, where: backgroundFilter?.toCondition(context) ?? alwaysTrue },
  };
}

function write(
  { buckets, docCount: parent }: BucketResult,
  params: SignificantParams,
  context: AggregationContext,
): JsonObject {
  const total = context.backgroundTotals?.get(params);
  const field = significantField(params, context);
  if (total === undefined) return { buckets: [] };
  return {
    doc_count: parent,
    bg_count: total,
    buckets: buckets.map(({ key, docCount, background = 0, subs }) => ({
      ...written(termKey(key, field, params.format)),
      doc_count: docCount,
      score: params.heuristic.value({ docs: docCount, parent, background, total }),
      bg_count: background,
      ...subs,
    })),
  };
}

/** Elasticsearch writes the words of booleans without quotes here. */
const written = ({ key_as_string: text, ...rest }: JsonObject): JsonObject => ({
  ...rest,
  ...(text !== undefined && {
    key_as_string: text === 'true' || text === 'false' ? text === 'true' : text,
  }),
});
