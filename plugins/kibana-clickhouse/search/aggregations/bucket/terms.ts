import type { Field } from '../../../clickhouse/catalog/table';
import type { Expr } from '../../../clickhouse/sql/nodes';
import type { JsonObject, JsonValue } from '../../../common/json/json';
import { parseField } from '../../request/parse-field';
import { aggregatedField } from '../aggregated-field';
import { parseOrder } from '../aggregation-order';
import type { AggregationContext, AggregationType, Level, LevelOrder } from '../definition';
import { missingOption } from '../missing-value';
import {
  booleanOption,
  checkOptions,
  bucketSizeOption,
  minDocCountOption,
  option,
  textOption,
} from '../options';
import { fieldOrScript } from '../script-source';
import { keysOfValues, type TypedValues, typedValues } from '../typed-values';
import { valueFormat } from '../value-text';
import { filteredValues, type IncludeExclude, parseIncludeExclude } from './include-exclude';
import { checkKeysWithin, levelPlaces, withAllKeys } from './buckets-without-documents';
import { counted, countError, shardSizeOption } from './count-error';
import { termKey } from './term-key';
import { termTypes } from './term-types';

const name = 'terms';
const standardOrder: readonly LevelOrder[] = [
  { by: 'count', direction: 'DESC' },
  { by: 'key', direction: 'ASC' },
];

interface TermsParams {
  readonly field: string;
  readonly size: number;
  readonly minDocCount: number;
  readonly order: readonly LevelOrder[];
  readonly format: string | undefined;
  readonly showError: boolean;
  readonly shardSize: number;
  readonly missing: JsonValue | undefined;
  readonly terms: IncludeExclude;
  /** The aggregation's name. */
  readonly aggregation: string;
}

/**
 * `{"terms": {"field": "host", "size": 5, "order": {"_count": "desc"}}}`: a bucket for each value,
 * the first `size` by `order`, counted exactly.
 */
export const terms: AggregationType = {
  name,
  parse(body, aggregation) {
    const params = parseTerms(body, aggregation);
    return {
      family: 'bucket',
      type: name,
      params,
      // a bucket without documents is told from one that no document of a part has
      exactCounts: params.minDocCount === 0,
      level: (context) => termsLevel(params, context),
      assemble: (result, empty, context) => {
        const field = keyField(params, context);
        const { totalCount } = result;
        const buckets = withAllKeys(result, empty, params);
        const error = countError(result, params);
        const shown = buckets.reduce((sum, { docCount }) => sum + docCount, 0);
        return {
          doc_count_error_upper_bound: error,
          sum_other_doc_count: totalCount - shown,
          buckets: buckets.map(({ key, docCount, subs }) => ({
            ...termKey(key, field, params.format),
            doc_count: docCount,
            ...(params.showError && { doc_count_error_upper_bound: error }),
            ...subs,
          })),
        };
      },
    };
  },
};

function parseTerms(body: JsonObject, aggregation: string): TermsParams {
  checkOptions(name, body, {
    used: [
      'field',
      'size',
      'min_doc_count',
      'order',
      'format',
      'show_term_doc_count_error',
      'missing',
      'include',
      'exclude',
      'script',
      'shard_size',
    ],
    // how shards gather terms: exact answers do not depend on it
    ignored: ['shard_min_doc_count', 'execution_hint', 'collect_mode', 'value_type'],
  });
  const size = parseField(name, 'size', () => bucketSizeOption(body, name, aggregation));
  const minDocCount = minDocCountOption(body, { type: name, aggregation }) ?? 1;
  return {
    field: fieldOrScript(body, name, 'keyword'),
    size,
    minDocCount,
    order: parseField(name, 'order', () => parseOrder(option(body, 'order'), standardOrder)),
    format: textOption(body, 'format', name),
    shardSize: shardSizeOption(body, name, size),
    showError: booleanOption(body, 'show_term_doc_count_error', name) ?? false,
    missing: missingOption(body, name),
    terms: parseIncludeExclude(body, name),
    aggregation,
  };
}

const termsField = (params: TermsParams, context: AggregationContext): Field | undefined =>
  aggregatedField(params.field, termTypes, name, context);

const typedContext = ({ format }: TermsParams, { now }: AggregationContext) => ({ format, now });

function termsLevel(params: TermsParams, context: AggregationContext): Level | undefined {
  const { missing, terms: wanted, aggregation, format } = params;
  const field = termsField(params, context);
  valueFormat(field, format);
  checkKeysWithin(name, params.field, params, context);
  const values = typedValues(field, missing, typedContext(params, context));
  if (!values) return undefined;
  const { now } = context;
  const within = { aggregation, field, format, now };
  const expr = filteredValues(values, wanted, within);
  return {
    ...keysOfValues(values, expr),
    manyKeys: field !== undefined && hasManyValues(field, context),
    order: params.order,
    ...counted(params),
    ...levelPlaces(
      params,
      context,
      field && alwaysKey(values, (all) => filteredValues(all, wanted, within)),
    ),
  };
}

/** Elasticsearch lists what stands in place of missing words and addresses (`MissingValues.replaceMissing`), documents or none. */
function alwaysKey(
  { missing, type }: TypedValues,
  filter: (values: TypedValues) => Expr,
): Expr | undefined {
  if (!missing || (type !== 'keyword' && type !== 'ip')) return undefined;
  return filter({ expr: missing, multiValued: false, type });
}

/** The field that keys are printed as: with a fraction in place of missing integers all of them are doubles. */
function keyField(params: TermsParams, context: AggregationContext): Field | undefined {
  const field = termsField(params, context);
  const values = typedValues(field, params.missing, typedContext(params, context));
  if (field) return values && { ...field, type: values.type };
  return undefined;
}

/** Whether a type can have many more values than a request asks buckets for. */
function hasManyValues(field: Field, { table }: AggregationContext): boolean {
  switch (field.type) {
    case 'boolean':
    case 'byte':
    case 'short':
      return false;
    case 'keyword':
      // LowCardinality and Enum are declared to have few; a String's twin and a UUID are not
      return isTwin(field, table.field.bind(table)) || field.raw?.type.name === 'UUID';
    default:
      return true;
  }
}

function isTwin(field: Field, fieldOf: (name: string) => Field | undefined): boolean {
  const bare = field.name.replace(/\.keyword$/, '');
  return bare !== field.name && fieldOf(bare)?.twin === field.name;
}
