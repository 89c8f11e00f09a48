import type { Field } from '../../clickhouse/catalog/table';
import {
  alwaysFalse,
  binary,
  isAlwaysFalse,
  literals,
  or,
  tuple,
} from '../../clickhouse/sql/build';
import type { Expr } from '../../clickhouse/sql/nodes';
import { parsingError, failedQuery, unsupported } from '../../common/errors/catalogue';
import { type JsonValue, isJsonArray, isJsonObject } from '../../common/json/json';
import { fieldValue, rawValue, stringOf } from '../values/field-value';
import { type QueryContext, defineClause } from './definition';
import { equalsValue } from './equals';
import { metadataField } from './metadata-field';
import { fieldClause } from './options';
import { anyOf, queriedField } from './queried-field';

interface TermsParams {
  readonly field: string;
  readonly values: readonly JsonValue[];
}

/** `index.max_terms_count` of Elasticsearch. */
const maximumTerms = 65_536;

/** Up to here values are parameters; longer lists do not fit the URL and are written as literals. */
const maximumParameters = 64;

/** `{"terms": {"status": [200, 404]}}`: any of the values, each compared as `term` does. */
export const terms = defineClause<TermsParams>({
  name: 'terms',
  parse(body) {
    const { field, value } = fieldClause('terms', body);
    if (isJsonObject(value)) throw unsupported('query [terms] with a terms lookup');
    if (!isJsonArray(value)) throw parsingError(`[terms] query does not support [${field}]`);
    for (const item of value) {
      if (item === null) throw parsingError('No value specified for terms query');
      if (typeof item === 'object')
        throw parsingError('[terms] query does not support arrays or objects as values');
    }
    return { field, values: value };
  },
  toCondition({ field: name, values }, context) {
    if (values.length > maximumTerms)
      throw failedQuery(
        `The number of terms [${String(values.length)}] used in the Terms Query request has exceeded the allowed maximum of [${String(maximumTerms)}]. This maximum can be set by changing the [index.max_terms_count] index level setting.`,
      );
    const metadata = metadataField(name, context.table);
    if (metadata) return metadata.equalsAny(values.map(stringOf));
    const field = queriedField(context.table, name);
    return field === undefined ? alwaysFalse : equalsAnyOf(field, values, context);
  },
  scoring: () => true,
});

function equalsAnyOf(field: Field, values: readonly JsonValue[], context: QueryContext): Expr {
  if (!comparable(field)) {
    const conditions = values.map((value) => equalsValue(field, value, context));
    return or(conditions.filter((condition) => !isAlwaysFalse(condition)));
  }
  const { expr, parameters } = exactValues(field, values);
  if (parameters.length === 0) return alwaysFalse;
  const list = asList(parameters);
  return anyOf(field.multiValued, expr, (value) => binary('IN', value, list));
}

/** Types whose values ClickHouse's IN compares as Elasticsearch does, without a span or a substring. */
const comparable = ({ type }: Field): boolean =>
  type === 'keyword' || type.endsWith('long') || ['byte', 'short', 'integer'].includes(type);

type Parameter = Extract<Expr, { readonly kind: 'param' }>;

interface ExactValues {
  readonly expr: Expr;
  readonly parameters: readonly Parameter[];
}

function exactValues(field: Field, values: readonly JsonValue[]): ExactValues {
  const { raw } = field;
  const reads =
    raw !== undefined && values.some((value) => rawValue(raw.type, value) !== undefined);
  const read = (value: JsonValue): Expr | 'none' =>
    (reads ? rawValue(raw.type, value) : undefined) ?? fieldValue(field, value);
  const parameters = values
    .map(read)
    .filter((item): item is Parameter => item !== 'none' && item.kind === 'param');
  return { expr: reads ? raw.expr : field.expr, parameters };
}

function asList(parameters: readonly Parameter[]): Expr {
  if (parameters.length <= maximumParameters) return tuple(parameters);
  return literals(
    parameters.map(({ value }) => value),
    parameters[0]?.type ?? 'String',
  );
}
