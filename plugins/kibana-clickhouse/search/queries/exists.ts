import type { Field, Table } from '../../clickhouse/catalog/table';
import {
  alwaysFalse,
  alwaysTrue,
  call,
  column,
  isAlwaysTrue,
  lambda,
  or,
} from '../../clickhouse/sql/build';
import type { Expr } from '../../clickhouse/sql/nodes';
import {
  illegalArgument,
  parsingError,
  queryShardError,
  unsupported,
} from '../../common/errors/catalogue';
import { namePattern } from '../request/name-pattern';
import { defineClause } from './definition';
import { hasValue } from './equals';
import { metadataField } from './metadata-field';
import { checkOptions, clauseObject, textOption } from './options';

interface ExistsParams {
  readonly field: string;
}

/**
 * `{"exists": {"field": "referer"}}`: documents with a value; `''` is one, NULL and an empty array are
 * not. An object exists where any of its children does; `*` in the name stands for any characters.
 */
export const exists = defineClause<ExistsParams>({
  name: 'exists',
  parse(body) {
    const options = clauseObject('exists', body);
    checkOptions('exists', options, ['field']);
    const { field } = options;
    if (field === undefined) throw parsingError('[exists] must be provided with a [field]');
    const name = textOption('exists', 'field', field);
    if (name === '') throw illegalArgument('field name is null or empty');
    return { field: name };
  },
  toCondition: ({ field }, { table }) => fieldExists(field, table),
});

/** True where a field of that name, or any that a name with `*` means, has a value: what `exists` asks. */
export function fieldExists(name: string, table: Table): Expr {
  const metadata = metadataField(name, table);
  if (metadata) return metadata.exists();
  if (name === '*') throw queryShardError('The _source field is not searchable');
  if (!name.includes('*')) return existsIn(table, table.field(name));
  const matches = namePattern(name);
  const matching = [...table.fields.values()].filter((field) => matches(field.name));
  return anyCondition(
    matching.filter(({ refusal }) => refusal === undefined).map((field) => existsIn(table, field)),
  );
}

function existsIn(table: Table, field: Field | undefined): Expr {
  if (field === undefined) return alwaysFalse;
  if (field.refusal !== undefined)
    throw unsupported(`query on field [${field.name}]: ${field.refusal}`);
  if (field.type !== 'object') return hasValue(field);
  if (field.valueType.name === 'Map') return mapHasValue(field);
  return anyCondition(
    [...table.fields.values()]
      .filter(({ name, type }) => name.startsWith(`${field.name}.`) && type !== 'object')
      .filter(({ name, refusal }) => refusal === undefined && !name.endsWith('.keyword'))
      .map(hasValue),
  );
}

const anyCondition = (conditions: readonly Expr[]): Expr =>
  conditions.some(isAlwaysTrue) ? alwaysTrue : or(conditions);

/** A Map has a value where it has a key whose value is not NULL. */
function mapHasValue({ expr, valueType }: Field): Expr {
  if (valueType.inner[1]?.nullable !== true) return call('notEmpty', expr);
  return call('arrayExists', lambda('x', call('isNotNull', column('x'))), call('mapValues', expr));
}
