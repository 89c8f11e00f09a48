import type { Field } from '../../../clickhouse/catalog/table';
import type { Cell } from '../../../clickhouse/execution/executor';
import { illegalArgument } from '../../../common/errors/catalogue';
import {
  isJsonArray,
  isJsonObject,
  type JsonObject,
  type JsonValue,
} from '../../../common/json/json';
import { parseField } from '../../request/parse-field';
import { stringOf } from '../../values/field-value';
import { aggregatedField } from '../aggregated-field';
import { parseOrder } from '../aggregation-order';
import type { AggregationContext, AggregationType, Level, LevelOrder } from '../definition';
import { javaDouble } from '../../values/java-double';
import { missingOption } from '../missing-value';
import {
  booleanOption,
  checkOptions,
  bucketSizeOption,
  minDocCountOption,
  option,
  requiredField,
  textOption,
  wrongType,
} from '../options';
import { typedValues } from '../typed-values';
import { checkKeysWithin, levelPlaces, withAllKeys } from './buckets-without-documents';
import { counted, countError, shardSizeOption } from './count-error';
import { compoundKey, type KeyPart, keyTexts, partOf } from './compound-key';
import { partKind } from './part-kind';
import { termKey } from './term-key';
import { termTypes } from './term-types';

const name = 'multi_terms';

interface Term {
  readonly field: string;
  readonly missing: JsonValue | undefined;
  readonly format: string | undefined;
}

interface MultiTermsParams {
  readonly terms: readonly Term[];
  readonly size: number;
  readonly minDocCount: number;
  readonly order: readonly LevelOrder[];
  readonly showError: boolean;
  readonly shardSize: number;
}

const standardOrder: readonly LevelOrder[] = [
  { by: 'count', direction: 'DESC' },
  { by: 'key', direction: 'ASC' },
];

/**
 * `{"multi_terms": {"terms": [{"field": "host"}, {"field": "level"}], "size": 5}}`: a bucket for each combination of values, the
 * first `size` by `order`, counted exactly; documents that lack one have none unless `missing` stands for it
 * (Elasticsearch 7.12 and later, `MultiTermsAggregationBuilder`). Refused: scripts.
 */
export const multiTerms: AggregationType = {
  name,
  parse(body, aggregation) {
    const params = parseMultiTerms(body, aggregation);
    return {
      family: 'bucket',
      type: name,
      params,
      // a bucket without documents is told from one that no document of a part has
      exactCounts: params.minDocCount === 0,
      level: (context) => multiTermsLevel(params, context),
      assemble: (result, empty, context) => {
        const { totalCount } = result;
        const buckets = withAllKeys(result, empty, params);
        const error = countError(result, params);
        const fields = params.terms.map((term) => fieldOf(term, context));
        const shown = buckets.reduce((sum, { docCount }) => sum + docCount, 0);
        return {
          doc_count_error_upper_bound: error,
          sum_other_doc_count: totalCount - shown,
          buckets: buckets.map(({ key, docCount, subs }) => ({
            ...writeKey(key, params.terms, fields),
            doc_count: docCount,
            ...(params.showError && { doc_count_error_upper_bound: error }),
            ...subs,
          })),
        };
      },
    };
  },
};

function parseMultiTerms(body: JsonObject, aggregation: string): MultiTermsParams {
  checkOptions(name, body, {
    used: ['terms', 'size', 'min_doc_count', 'order', 'show_term_doc_count_error', 'shard_size'],
    ignored: ['shard_min_doc_count', 'collect_mode', 'format'],
  });
  const size = bucketSizeOption(body, name, aggregation);
  const minDocCount = minDocCountOption(body, { type: name, aggregation }) ?? 1;
  return {
    terms: parseTerms(body, aggregation),
    size,
    minDocCount,
    order: parseField(name, 'order', () => parseOrder(option(body, 'order'), standardOrder)),
    shardSize: shardSizeOption(body, name, size),
    showError: booleanOption(body, 'show_term_doc_count_error', name) ?? false,
  };
}

function parseTerms(body: JsonObject, aggregation: string): readonly Term[] {
  const given = option(body, 'terms');
  if (!isJsonArray(given) || given.length < 2)
    throw illegalArgument(
      `The [terms] parameter in the aggregation [${aggregation}] must be present and have at least 2 fields or scripts.`,
    );
  return parseField(name, 'terms', () =>
    given.map((term) => {
      if (!isJsonObject(term)) throw wrongType(name, 'terms', term);
      checkOptions('terms', term, {
        used: ['field', 'missing', 'format'],
        ignored: ['value_type'],
        refused: ['script', 'time_zone', 'include', 'exclude'],
      });
      return {
        field: requiredField(term, 'terms'),
        missing: missingOption(term, 'terms'),
        format: textOption(term, 'format', 'terms'),
      };
    }),
  );
}

const fieldOf = ({ field }: Term, context: AggregationContext): Field | undefined =>
  aggregatedField(field, termTypes, name, context);

function multiTermsLevel(params: MultiTermsParams, context: AggregationContext): Level | undefined {
  const { now } = context;
  for (const { field } of params.terms) checkKeysWithin(name, field, params, context);
  const parts = params.terms.map((term): KeyPart | undefined => {
    const values = typedValues(fieldOf(term, context), term.missing, { now, format: term.format });
    if (!values) return undefined;
    const { expr, multiValued, type, always = false } = values;
    return { expr, multiValued, always, kind: partKind(type), nullable: false };
  });
  const known = parts.flatMap((part) => (part ? [part] : []));
  // an unmapped field: no document has all values
  if (known.length < parts.length) return undefined;
  return {
    ...compoundKey(known),
    manyKeys: true,
    order: params.order.flatMap((item) => keyParts(item, known)),
    ...counted(params),
    ...levelPlaces(params, context),
  };
}

/** An order by key is one by each of its parts. */
const keyParts = (item: LevelOrder, parts: readonly KeyPart[]): readonly LevelOrder[] =>
  item.by === 'key'
    ? parts.map(({ kind }, i): LevelOrder => ({ ...item, part: (key) => partOf(key, i, kind) }))
    : [item];

function writeKey(
  key: Cell,
  terms: readonly Term[],
  fields: readonly (Field | undefined)[],
): JsonObject {
  const values = keyTexts(key).map((text, i) => keyValue(text ?? '', fields[i], terms[i]));
  const texts = values.map((value, i) => textOf(value, fields[i]));
  return { key: values, key_as_string: texts.join('|') };
}

/** A value as its format prints it: words for booleans, text for dates; numbers without a format stay numbers. */
function keyValue(text: string, field: Field | undefined, term: Term | undefined): JsonValue {
  const { key = null, key_as_string: printed } = termKey(text, field, term?.format);
  return field?.type === 'boolean' ? text === 'true' : (printed ?? key);
}

const textOf = (value: JsonValue, field: Field | undefined): string =>
  typeof value === 'number' && partKind(field?.type) === 'double'
    ? javaDouble(value)
    : stringOf(value);
