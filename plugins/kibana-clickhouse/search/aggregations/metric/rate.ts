import { aggregate } from '../../../clickhouse/sql/build';
import { illegalArgument } from '../../../common/errors/catalogue';
import type { JsonObject } from '../../../common/json/json';
import { parseField } from '../../request/parse-field';
import { calendarUnit } from '../bucket/date-interval';
import type { CalendarUnit } from '../bucket/date-rounding';
import type { AggregationType, MetricNode } from '../definition';
import { checkOptions, option, textOption } from '../options';
import { finiteCell } from '../value-text';
import { sum } from './sum';
import { valueCount } from './value-count';

const name = 'rate';

/**
 * `{"rate": {"field": "bytes", "unit": "minute"}}` within a date_histogram: a sum, the number of values (`mode: value_count`), or
 * without a field the number of documents, for each unit that fits into the bucket of dates around (Elasticsearch 8
 * `RateAggregator`). Refused: `script`.
 */
export const rate: AggregationType = {
  name,
  parse(body, aggregation) {
    checkOptions(name, body, {
      used: ['field', 'unit', 'mode', 'missing', 'format'],
      ignored: ['value_type'],
      refused: ['script'],
    });
    const unit = parseUnit(body);
    const counted = countedBy(body, aggregation);
    return {
      family: 'metric',
      type: name,
      params: { unit, counted: counted?.params },
      scaling: counted?.scaling ?? 'count',
      columns: (context) => counted?.columns(context) ?? [aggregate('count')],
      assemble: (cells, { rateUnits }) => {
        const total = finiteCell(cells[0]) ?? 0;
        return {
          value: total === 0 || unit === undefined ? total : total / (rateUnits?.(unit) ?? 1),
        };
      },
      empty: () => ({ value: 0 }),
      orderColumn: (path, context) => {
        const total = counted
          ? counted.orderColumn(path, context)
          : path === '' || path === 'value'
            ? { value: aggregate('count'), missing: 0 }
            : undefined;
        return total && { ...total, unit };
      },
    };
  },
};

function parseUnit(body: JsonObject): CalendarUnit | undefined {
  const text = textOption(body, 'unit', name);
  if (text === undefined) return undefined;
  const unit = calendarUnit(text);
  if (unit) return unit;
  throw illegalArgument(`Unsupported unit ${text}`);
}

/** What a field's values are counted by; undefined where documents are. */
function countedBy(body: JsonObject, aggregation: string): MetricNode | undefined {
  const mode = parseField(name, 'mode', () => parseMode(textOption(body, 'mode', name)));
  const { field, missing, format } = body;
  if (option(body, 'field') === undefined) {
    if (mode === undefined) return undefined;
    throw illegalArgument('The mode parameter is only supported with field or script');
  }
  const type = mode === 'value_count' ? valueCount : sum;
  const node = type.parse(
    {
      ...(field !== undefined && { field }),
      ...(missing !== undefined && { missing }),
      ...(format !== undefined && { format }),
    },
    aggregation,
  );
  return node.family === 'metric' ? node : undefined;
}

function parseMode(text: string | undefined): 'sum' | 'value_count' | undefined {
  const mode = text?.toLowerCase();
  if (mode === undefined || mode === 'sum' || mode === 'value_count') return mode;
  throw illegalArgument(`Unknown value [${text ?? ''}] for mode`);
}
