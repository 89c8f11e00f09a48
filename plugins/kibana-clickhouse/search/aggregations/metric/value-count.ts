import type { Field } from '../../../clickhouse/catalog/table';
import { aggregate, call, integer } from '../../../clickhouse/sql/build';
import type { Expr } from '../../../clickhouse/sql/nodes';
import { aggregatedField } from '../aggregated-field';
import type { AggregationType } from '../definition';
import { missingOption } from '../missing-value';
import { checkOptions, requiredField, textOption } from '../options';
import { typedValues } from '../typed-values';
import { valueFormat } from '../value-text';
import { countableTypes } from './countable';

const name = 'value_count';

/**
 * `{"value_count": {"field": "bytes"}}`: the number of values, of several in a document each; 0 of none. Equal strings or
 * addresses in a document are one value, equal numbers are not (Elasticsearch 7.17 keeps the former as sets).
 * Refused: `script`.
 */
export const valueCount: AggregationType = {
  name,
  parse(body) {
    checkOptions(name, body, {
      used: ['field', 'missing', 'format'],
      ignored: ['value_type'],
      refused: ['script'],
    });
    const fieldName = requiredField(body, name);
    const missing = missingOption(body, name);
    const format = textOption(body, 'format', name);
    const column: AggregationColumn = (context) => {
      const field = aggregatedField(fieldName, countableTypes, name, context);
      valueFormat(field, format);
      if (missing !== undefined) typedValues(field, missing, { now: context.now, format });
      if (!field) return missing === undefined ? undefined : aggregate('count');
      return countOf(field, missing !== undefined);
    };
    return {
      family: 'metric',
      type: name,
      params: { field: fieldName, missing, format },
      scaling: 'count',
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

type AggregationColumn = (
  context: Parameters<typeof aggregatedField>[3] & { readonly now: number },
) => Expr | undefined;

function countOf(field: Field, substitutes: boolean): Expr {
  if (!field.multiValued)
    return substitutes || !field.nullable ? aggregate('count') : aggregate('count', field.expr);
  const isSet = field.type === 'keyword' || field.type === 'ip';
  const values = isSet ? call('arrayDistinct', field.expr) : field.expr;
  const size = call('length', values);
  return aggregate('sum', substitutes ? call('greatest', size, integer(1)) : size);
}
