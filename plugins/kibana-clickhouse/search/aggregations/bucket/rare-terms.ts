import type { Field, FieldType } from '../../../clickhouse/catalog/table';
import { call } from '../../../clickhouse/sql/build';
import { illegalArgument, shardIllegalArgument } from '../../../common/errors/catalogue';
import type { JsonObject, JsonValue } from '../../../common/json/json';
import { parseField } from '../../request/parse-field';
import { aggregatedField } from '../aggregated-field';
import { maxBuckets } from '../bucket-limit';
import type { AggregationContext, AggregationType, Level } from '../definition';
import { missingOption } from '../missing-value';
import { checkOptions, doubleOption, integerOption, requiredField, textOption } from '../options';
import { asShardArgument } from '../plain-error';
import { typedValues } from '../typed-values';
import { valueFormat } from '../value-text';
import { filteredValues, type IncludeExclude, parseIncludeExclude } from './include-exclude';
import { termKey } from './term-key';
import { termTypes } from './term-types';

const name = 'rare_terms';
const mostDocuments = 100;

interface RareParams {
  readonly field: string;
  readonly maxDocCount: number;
  readonly format: string | undefined;
  readonly missing: JsonValue | undefined;
  readonly terms: IncludeExclude;
  /** The aggregation's name. */
  readonly aggregation: string;
}

/**
 * `{"rare_terms": {"field": "user", "max_doc_count": 2}}`: a bucket for each value of at most so many documents, the rarest first, then by
 * key (Elasticsearch 7.17 `RareTermsAggregationBuilder`). Exact, as `precision` 0 would be. Refused: `script`.
 */
export const rareTerms: AggregationType = {
  name,
  parse(body, aggregation) {
    const params = parseRare(body, aggregation);
    return {
      family: 'bucket',
      type: name,
      params,
      exactCounts: true,
      level: (context) => rareLevel(params, context),
      assemble: ({ buckets }, _empty, context) => {
        const field = keyField(params, context);
        return {
          buckets: buckets.map(({ key, docCount, subs }) => ({
            ...termKey(key, field, params.format),
            doc_count: docCount,
            ...subs,
          })),
        };
      },
    };
  },
};

function parseRare(body: JsonObject, aggregation: string): RareParams {
  checkOptions(name, body, {
    used: ['field', 'max_doc_count', 'format', 'missing', 'include', 'exclude', 'precision'],
    ignored: ['value_type'],
    refused: ['script'],
  });
  // how well Elasticsearch estimates which terms are rare
  parseField(name, 'precision', () => {
    checkPrecision(doubleOption(body, 'precision', name));
  });
  return {
    field: requiredField(body, name),
    maxDocCount: parseField(name, 'max_doc_count', () => parseMost(body, aggregation)),
    format: textOption(body, 'format', name),
    missing: missingOption(body, name),
    terms: parseIncludeExclude(body, name),
    aggregation,
  };
}

function checkPrecision(precision: number | undefined): void {
  if (precision !== undefined && precision < 0.00001)
    throw illegalArgument('[precision] must be greater than 0.00001');
}

function parseMost(body: JsonObject, aggregation: string): number {
  const most = integerOption(body, 'max_doc_count', name) ?? 1;
  if (most <= 0)
    throw illegalArgument(
      `[max_doc_count] must be greater than 0. Found [${String(most)}] in [${aggregation}]`,
    );
  if (most <= mostDocuments) return most;
  throw illegalArgument(
    // as Elasticsearch 7.17 writes it
    `[max_doc_count] must be smallerthan ${String(mostDocuments)}in [${aggregation}]`,
  );
}

function rareField({ field: named }: RareParams, context: AggregationContext): Field | undefined {
  const field = aggregatedField(named, termTypes, name, context);
  if (field?.type === 'float' || field?.type === 'double')
    throw shardIllegalArgument('RareTerms aggregation does not support floating point fields.');
  return field;
}

function rareLevel(params: RareParams, context: AggregationContext): Level | undefined {
  const { missing, terms, aggregation, format, maxDocCount } = params;
  const field = rareField(params, context);
  valueFormat(field, format);
  // Elasticsearch has no buckets for an unmapped field, `missing` or not
  const { now } = context;
  const values = field && typedValues(field, missing, { format, now });
  if (!values) return undefined;
  const limits = { aggregation, field, format, now };
  const expr = asShardArgument(() => filteredValues(values, terms, limits));
  return {
    key: values.multiValued && !countsRepeated(values.type) ? call('arrayDistinct', expr) : expr,
    keys: values.multiValued ? 'expanded' : 'single',
    manyKeys: false,
    order: [
      { by: 'count', direction: 'ASC' },
      { by: 'key', direction: 'ASC' },
    ],
    // all, but in this order
    limit: maxBuckets(context) + 1,
    minDocCount: 1,
    maxDocCount,
  };
}

/** Elasticsearch 7.17 `LongRareTermsAggregator` counts a document as often as it repeats a number; words and addresses count once. */
function countsRepeated(type: FieldType): boolean {
  return type !== 'keyword' && type !== 'ip';
}

/** The field that keys are printed as. */
function keyField(params: RareParams, context: AggregationContext): Field | undefined {
  const field = rareField(params, context);
  const { missing, format } = params;
  const values = field && typedValues(field, missing, { format, now: context.now });
  return values && { ...field, type: values.type };
}
