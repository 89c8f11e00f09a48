import { innermostElement } from '../../clickhouse/catalog/column-type';
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
  isNone: ({ field }, context) => context !== undefined && isNowhere(field, context.table),
});

/** Whether there is no field of that name, and none that a name with `*` means. */
function isNowhere(name: string, table: Table): boolean {
  if (metadataField(name, table)) return false;
  if (!name.includes('*')) return table.field(name) === undefined;
  const matches = namePattern(name);
  const start = name.slice(0, name.indexOf('*'));
  return [...table.fields.values()].every(
    // an object may hold names that are not listed
    (field) =>
      !matches(field.name) && !(field.type === 'object' && start.startsWith(`${field.name}.`)),
  );
}

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
  const { depth, element } = innermostElement(field.valueType);
  if (element.name === 'Map') return depth === 0 ? mapHasValue(field) : mapsHaveValue(field, depth);
  const children = [...table.fields.values()]
    .filter(({ name, type }) => name.startsWith(`${field.name}.`) && type !== 'object')
    .filter(({ name, refusal }) => refusal === undefined && !name.endsWith('.keyword'));
  return element.name === 'JSON'
    ? jsonHasValue(field, children)
    : anyCondition(children.map(hasValue));
}

const anyCondition = (conditions: readonly Expr[]): Expr =>
  conditions.some(isAlwaysTrue) ? alwaysTrue : or(conditions);

/** A JSON column has a value where it has a path of its own (null makes none), or one that its type declares. */
function jsonHasValue({ name, expr, valueType }: Field, children: readonly Field[]): Expr {
  const declared = children.filter((child) =>
    valueType.names.some((path) => `${child.name}.`.startsWith(`${name}.${path}.`)),
  );
  const ownPaths = ['JSONDynamicPaths', 'JSONSharedDataPaths'].map((fn) =>
    call('notEmpty', call(fn, expr)),
  );
  return anyCondition([...declared.map(hasValue), ...ownPaths]);
}

/** An array of Maps has a value where one of them has. */
function mapsHaveValue({ expr, valueType }: Field, depth: number): Expr {
  const maps = depth > 1 ? call('arrayFlatten', expr) : expr;
  const { element } = innermostElement(valueType);
  const inner: Pick<Field, 'expr' | 'valueType'> = { expr: column('m'), valueType: element };
  return call('arrayExists', lambda('m', mapHasValue(inner)), maps);
}

/** A Map has a value where it has a key whose value is not NULL. */
function mapHasValue({ expr, valueType }: Pick<Field, 'expr' | 'valueType'>): Expr {
  if (valueType.inner[1]?.nullable !== true) return call('notEmpty', expr);
  return call('arrayExists', lambda('x', call('isNotNull', column('x'))), call('mapValues', expr));
}
