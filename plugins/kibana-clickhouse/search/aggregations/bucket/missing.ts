import { alwaysFalse, alwaysTrue, call } from '../../../clickhouse/sql/build';
import type { Expr } from '../../../clickhouse/sql/nodes';
import { aggregatedField } from '../aggregated-field';
import type { AggregationContext, AggregationType } from '../definition';
import { countableTypes } from '../metric/countable';
import { missingOption } from '../missing-value';
import { checkOptions, requiredField, textOption } from '../options';
import { typedValues } from '../typed-values';
import { singleBucket } from './single-bucket';

const name = 'missing';

/** `{"missing": {"field": "user"}}`: the documents without a value of a field; with `missing` there are none. Refused: `script`. */
export const missing: AggregationType = {
  name,
  parse(body) {
    checkOptions(name, body, {
      used: ['field', 'missing', 'format'],
      ignored: ['value_type'],
      refused: ['script'],
    });
    textOption(body, 'format', name);
    const field = requiredField(body, name);
    const substitute = missingOption(body, name);
    return singleBucket(name, { field, substitute }, (context) => {
      if (substitute === undefined) return withoutValue(field, context);
      const known = aggregatedField(field, countableTypes, name, context);
      // its errors count, though nothing is missing then
      typedValues(known, substitute, { now: context.now });
      return alwaysFalse;
    });
  },
};

function withoutValue(fieldName: string, context: AggregationContext): Expr {
  const field = aggregatedField(fieldName, countableTypes, name, context);
  if (!field) return alwaysTrue;
  if (field.multiValued) return call('empty', field.expr);
  return field.nullable ? call('isNull', field.expr) : alwaysFalse;
}
