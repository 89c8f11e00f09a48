import type { Field } from '../../clickhouse/catalog/table';
import { alwaysFalse } from '../../clickhouse/sql/build';
import type { Expr } from '../../clickhouse/sql/nodes';
import { illegalArgument, parsingError, failedQuery } from '../../common/errors/catalogue';
import { type JsonValue, isJsonArray, isJsonObject } from '../../common/json/json';
import { stringOf } from '../values/field-value';
import { type QueryContext, defineClause } from './definition';
import { equalsValue } from './equals';
import { metadataField } from './metadata-field';
import { booleanOption, checkOptions, fieldClause } from './options';
import { isUnmapped, queriedField } from './queried-field';
import { equalsFolded } from './text/text-term';

interface TermParams {
  readonly field: string;
  readonly value: JsonValue;
  readonly caseInsensitive: boolean;
}

/** `{"term": {"status": 200}}` or `{"term": {"host": {"value": "a", "case_insensitive": true}}}`. */
export const term = defineClause<TermParams>({
  name: 'term',
  parse(body) {
    const { field, value } = fieldClause('term', body);
    if (isJsonArray(value)) throw parsingError('[term] query does not support array of values');
    if (value === null) throw illegalArgument('field name is null or empty');
    if (!isJsonObject(value)) return { field, value, caseInsensitive: false };
    checkOptions('term', value, ['value', 'case_insensitive']);
    const { value: wanted = null, case_insensitive: folded = false } = value;
    if (isJsonArray(wanted)) throw parsingError('[term] query does not support array of values');
    if (isJsonObject(wanted))
      throw parsingError('[term] query does not support an object as value');
    return {
      field,
      value: notNull(wanted),
      caseInsensitive: booleanOption('case_insensitive', folded),
    };
  },
  isNone: ({ field }, context) => context !== undefined && isUnmapped(field, context),
  toCondition({ field: name, value, caseInsensitive }, context) {
    const metadata = metadataField(name, context.table);
    if (metadata) return metadata.equals(stringOf(value));
    const field = queriedField(context.table, name);
    if (field === undefined) return alwaysFalse;
    return caseInsensitive
      ? equalsAnyCase(field, value, context)
      : equalsValue(field, value, context);
  },
});

function notNull(value: JsonValue): JsonValue {
  if (value === null) throw illegalArgument('value cannot be null');
  return value;
}

function equalsAnyCase(field: Field, value: JsonValue, context: QueryContext): Expr {
  if (field.type !== 'text' && field.type !== 'keyword')
    throw failedQuery(
      `[${field.name}] field which is of type [${field.type}], does not support case insensitive term queries`,
    );
  return equalsFolded(field, stringOf(value), context);
}
