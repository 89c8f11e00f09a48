import type { Expr } from '../../../clickhouse/sql/nodes';
import { call, column, integer, lambda, param } from '../../../clickhouse/sql/build';
import { illegalArgument } from '../../../common/errors/catalogue';
import type { JsonObject, JsonValue } from '../../../common/json/json';
import { parseField } from '../../request/parse-field';
import { aggregatedField } from '../aggregated-field';
import type { AggregationContext, AggregationType } from '../definition';
import { missingOption } from '../missing-value';
import { checkOptions, integerOption } from '../options';
import { fieldOrScript } from '../script-source';
import { typedValues } from '../typed-values';
import { countableTypes } from './countable';

const name = 'cardinality';

/**
 * `{"cardinality": {"field": "user"}}`: how many different values there are, exact up to 4,000 and beyond within 1 %, whatever
 * `precision_threshold` says: Elasticsearch 7.17 (HyperLogLog++) is exact up to that threshold, 3,000 by default, and
 * about as near beyond. ClickHouse's `uniqCombined64(17)` holds at most 96 KiB for a bucket.
 */
export const cardinality: AggregationType = {
  name,
  parse(body, aggregation) {
    checkOptions(name, body, {
      used: ['field', 'missing', 'precision_threshold', 'script'],
      ignored: ['value_type', 'execution_hint'],
    });
    checkThreshold(body, aggregation);
    const fieldName = fieldOrScript(body, name, 'keyword');
    const missing = missingOption(body, name);
    const column = (context: AggregationContext): Expr | undefined =>
      distinctOf(fieldName, missing, context);
    return {
      family: 'metric',
      type: name,
      params: { field: fieldName, missing },
      // a part of the rows says little about how many values all have: what was seen is a lower bound
      scaling: 'value',
      columns: (context) => {
        const wanted = column(context);
        return wanted ? [wanted] : [];
      },
      assemble: (cells) => ({ value: Number(cells[0] ?? 0) }),
      empty: () => ({ value: 0 }),
      orderColumn: (path, context) =>
        path === '' || path === 'value' ? { value: column(context), missing: 0 } : undefined,
    };
  },
};

const checkThreshold = (body: JsonObject, aggregation: string): void => {
  parseField(name, 'precision_threshold', () => {
    const threshold = integerOption(body, 'precision_threshold', name) ?? 0;
    if (threshold < 0)
      throw illegalArgument(
        `[precisionThreshold] must be greater than or equal to 0. Found [${String(threshold)}] in [${aggregation}]`,
      );
  });
};

function distinctOf(
  fieldName: string,
  missing: JsonValue | undefined,
  context: AggregationContext,
): Expr | undefined {
  const field = aggregatedField(fieldName, countableTypes, name, context);
  const typed = typedValues(field, missing, { now: context.now });
  if (!typed) return undefined;
  // without a substitute the values as they are: parts below a millisecond count
  const values = field && missing === undefined ? field.expr : typed.expr;
  const isAddress = typed.type === 'ip';
  return {
    kind: 'aggregate',
    fn: typed.multiValued ? 'uniqCombined64Array' : 'uniqCombined64',
    parameters: [integer(17)],
    // the function folds 128 bits into 64 by halves, which would make different addresses one
    args: [isAddress ? hashed(values, typed.multiValued) : values],
  };
}

const hashed = (values: Expr, multiValued: boolean): Expr =>
  multiValued
    ? call('arrayMap', lambda('x', call('sipHash64', column('x'))), values)
    : call(
        'if',
        call('isNull', values),
        param(null, 'Nullable(Nothing)'),
        call('sipHash64', values),
      );
