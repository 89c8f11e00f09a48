import { aggregate, binary, call } from '../../../clickhouse/sql/build';
import type { Expr } from '../../../clickhouse/sql/nodes';
import type { JsonObject } from '../../../common/json/json';
import { aggregatedField, numericTypes } from '../aggregated-field';
import type { AggregationContext, AggregationType } from '../definition';
import { eachValue, epochMillis } from '../instants';
import { checkOptions, requiredField, textOption } from '../options';
import { finiteCell, valueAsString } from '../value-text';

const name = 'avg';

/**
 * `{"avg": {"field": "bytes"}}`: the mean of all values, null of none. Of several values in a document
 * each counts. Dates are averaged as epoch ms and printed beside it.
 * Refused: `missing`, `script`.
 */
export const avg: AggregationType = {
  name,
  parse(body) {
    checkOptions(name, body, {
      used: ['field', 'format'],
      ignored: ['value_type'],
      refused: ['missing', 'script'],
    });
    const fieldName = requiredField(body, name);
    const format = textOption(body, 'format', name);
    const field = (context: AggregationContext) =>
      aggregatedField(fieldName, [...numericTypes, 'boolean', 'date', 'date_nanos'], name, context);
    return {
      family: 'metric',
      type: name,
      params: { field: fieldName, format },
      columns: (context) => {
        const known = field(context);
        return known ? [average(known)] : [];
      },
      assemble: (cells, context): JsonObject => {
        const value = finiteCell(cells[0]);
        return { value, ...valueAsString(value, field(context), format) };
      },
      empty: () => ({ value: null }),
      orderColumn: (path) =>
        path === '' || path === 'value' ? { column: 0, missing: 'last' } : undefined,
    };
  },
};

/**
 * The sum of doubles by their number: NULL of none. Added with Kahan's compensation, as Elasticsearch 7.17 adds
 * (`CompensatedSum`): large values that cancel out leave the small ones, where ClickHouse's `avg` loses them.
 */
function average(field: NonNullable<ReturnType<typeof aggregatedField>>): Expr {
  const { time, multiValued } = field;
  const numbers = eachValue(field, (value) =>
    call('toFloat64', time ? epochMillis(value, time) : value),
  );
  return binary(
    '/',
    aggregate(multiValued ? 'sumKahanOrNullArray' : 'sumKahanOrNull', numbers),
    aggregate(multiValued ? 'countArray' : 'count', numbers),
  );
}
