import type { Field } from '../../clickhouse/catalog/table';
import { alwaysFalse, isAlwaysFalse, or } from '../../clickhouse/sql/build';
import type { Expr } from '../../clickhouse/sql/nodes';
import { parsingError, failedQuery, unsupported } from '../../common/errors/catalogue';
import { type JsonValue, isJsonArray, isJsonObject } from '../../common/json/json';
import { stringOf } from '../values/field-value';
import { type QueryContext, defineClause } from './definition';
import { equalsValue } from './equals';
import { listedTerms } from './listed-terms';
import { metadataField } from './metadata-field';
import { fieldClause } from './options';
import { isUnmapped, queriedField } from './queried-field';

interface TermsParams {
  readonly field: string;
  readonly values: readonly JsonValue[];
}

/** `index.max_terms_count` of Elasticsearch. */
const maximumTerms = 65_536;

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
  isNone: ({ field, values }, context) =>
    values.length === 0 || (context !== undefined && isUnmapped(field, context)),
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

/** Conditions of which ClickHouse takes a statement of 50,000 elements (`max_ast_elements`); each is about ten. */
const maximumConditions = 4000;

function equalsAnyOf(field: Field, values: readonly JsonValue[], context: QueryContext): Expr {
  const { condition, others } = listedTerms(field, values, context);
  const distinct = [...new Map(others.map((value) => [stringOf(value), value])).values()];
  if (distinct.length > maximumConditions)
    throw unsupported(
      `query [terms] with more than ${String(maximumConditions)} values that are each a condition of their own on field [${field.name}] of type [${field.type}]`,
    );
  const conditions = distinct.map((value) => equalsValue(field, value, context));
  return or([
    ...(condition ? [condition] : []),
    ...conditions.filter((one) => !isAlwaysFalse(one)),
  ]);
}
