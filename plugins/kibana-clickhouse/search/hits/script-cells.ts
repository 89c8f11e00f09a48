import type { Field } from '../../clickhouse/catalog/table';
import type { Cell } from '../../clickhouse/execution/executor';
import { call } from '../../clickhouse/sql/build';
import { unsupported } from '../../common/errors/catalogue';
import type { ScriptField } from '../request/script-fields';
import { parseScript } from '../scripts/parse';
import { translateScript } from '../scripts/translate';
import type { TypedExpr } from '../scripts/typed-expr';
import type { PlannedFields } from './field-cells';
import type { HitColumns } from './hit-line';

/**
 * Plans `script_fields`: one value each, null where the script gives none. Where a document has no value that the script reads it
 * is null, too; in Elasticsearch the search fails there. Refuses scripts that `translateScript` cannot say.
 */
export const planScriptFields = (
  fields: readonly ScriptField[],
  field: (name: string) => Field | undefined,
  columns: HitColumns,
): readonly PlannedFields[] =>
  fields.map(({ name, script: { source, lang, params } }) => {
    const typed = translateScript(parseScript(source, lang, 'read'), { params, field });
    const print = printerOf(name, typed);
    const read = columns.add(isWritten(typed) ? call('toString', typed.expr) : typed.expr);
    return { names: [name], print: (cells) => print(read(cells)) };
  });

/** Numbers come as text: JSON.parse would round them, and JSON has no infinity. */
const isWritten = ({ type }: TypedExpr): boolean =>
  type === 'int' || type === 'long' || type === 'double';

function printerOf(name: string, { type }: TypedExpr): (cell: Cell) => string {
  switch (type) {
    case 'null':
      return () => 'null';
    case 'int':
    case 'long':
    case 'double':
      return (cell) => numberText(typeof cell === 'string' ? cell : JSON.stringify(cell));
    case 'string':
      return (cell) => JSON.stringify(cell);
    case 'boolean':
      return (cell) => (cell === null ? 'null' : String(Boolean(cell)));
    case 'date':
      return (cell) => (cell === null ? 'null' : `"${new Date(Number(cell)).toISOString()}"`);
    default:
      throw unsupported(`a ${type} as the value of script field [${name}]`);
  }
}

const numberText = (text: string): string => {
  if (text === 'inf') return '"Infinity"';
  if (text === '-inf') return '"-Infinity"';
  return text === 'nan' || text === '-nan' ? '"NaN"' : text;
};
