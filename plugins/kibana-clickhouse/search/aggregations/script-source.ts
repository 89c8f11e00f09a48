import type { Field, FieldType } from '../../clickhouse/catalog/table';
import { parseColumnType } from '../../clickhouse/catalog/column-type';
import { call } from '../../clickhouse/sql/build';
import type { Expr } from '../../clickhouse/sql/nodes';
import { contentParseError, unsupported } from '../../common/errors/catalogue';
import type { JsonObject, JsonValue } from '../../common/json/json';
import { parseJson } from '../../common/json/parse-json';
import { writeJson } from '../../common/json/write-json';
import type { QueryContext } from '../queries/definition';
import { parseScript } from '../scripts/parse';
import { parseScriptText } from '../scripts/script-option';
import { translateScript } from '../scripts/translate';
import type { TypedExpr } from '../scripts/typed-expr';
import { option, requiredField, textOption } from './options';

/** What values of a script are where nothing says so: Elasticsearch's values sources of numbers and of bytes. */
export type ScriptValues = 'double' | 'keyword';

/** A script stands where the name of a field stands: this is no start of such a name. */
const mark = '\u0000script ';

const valueTypes: Readonly<Record<string, FieldType>> = {
  boolean: 'boolean',
  byte: 'long',
  date: 'date',
  double: 'double',
  float: 'double',
  integer: 'long',
  long: 'long',
  number: 'double',
  numeric: 'double',
  short: 'long',
  string: 'keyword',
};

/**
 * The field that an aggregation reads, or in its place its `script` with its `value_type`: `aggregatedField` takes both. Refuses
 * a script beside a field.
 */
export function fieldOrScript(body: JsonObject, type: string, values: ScriptValues): string {
  const script = option(body, 'script');
  if (script === undefined) return requiredField(body, type);
  if (option(body, 'field') !== undefined)
    throw unsupported(`option [script] beside [field] of aggregation [${type}]`);
  parseScriptText(script);
  const wanted = textOption(body, 'value_type', type);
  if (wanted === undefined) return mark + writeJson([values, script]);
  const known = Object.hasOwn(valueTypes, wanted) ? valueTypes[wanted] : undefined;
  if (known) return mark + writeJson([known, script]);
  if (wanted === 'ip') throw unsupported(`[value_type] ip of a script in aggregation [${type}]`);
  throw contentParseError(`[${type}] failed to parse field [value_type]`);
}

/** A script as a field whose values it gives, NULL where it reads what a document has not; undefined for the name of a field. */
export function scriptedField(name: string, { table }: QueryContext): Field | undefined {
  if (!name.startsWith(mark)) return undefined;
  const [type, script = null] = parseJson(name.slice(mark.length)) as readonly [
    FieldType,
    JsonValue?,
  ];
  const { source, lang, params } = parseScriptText(script);
  if (lang !== 'painless') throw unsupported(`language [${lang}] in a script of an aggregation`);
  const scope = { params, field: (wanted: string) => table.field(wanted) };
  const typed = translateScript(parseScript(source, lang, 'read'), scope);
  return {
    name: 'script',
    type,
    searchable: false,
    aggregatable: true,
    expr: valueOf(typed, type),
    valueType: parseColumnType(columnTypes[type] ?? 'String'),
    multiValued: false,
    nullable: true,
    matching: 'exact',
    ...(type === 'date' && { time: { kind: 'epoch', unit: 'ms' } }),
  };
}

const columnTypes: Readonly<Partial<Record<FieldType, string>>> = {
  boolean: 'Bool',
  date: 'Int64',
  double: 'Float64',
  long: 'Int64',
};

/** For each type of values what a script may give for it, and the function that converts that. */
const conversions: Readonly<
  Partial<Record<FieldType, { readonly from: readonly TypedExpr['type'][]; readonly by: string }>>
> = {
  boolean: { from: ['boolean'], by: 'identity' },
  date: { from: ['date', 'double', 'int', 'long'], by: 'toInt64' },
  double: { from: ['boolean', 'date', 'double', 'int', 'long'], by: 'toFloat64' },
  keyword: { from: ['boolean', 'int', 'long', 'string'], by: 'toString' },
  long: { from: ['date', 'double', 'int', 'long'], by: 'toInt64' },
};

function valueOf({ type, expr }: TypedExpr, wanted: FieldType): Expr {
  const conversion = conversions[wanted];
  if (conversion?.from.includes(type)) return call(conversion.by, expr);
  throw unsupported(`a script that gives a ${type} for a ${wanted} in an aggregation`);
}
