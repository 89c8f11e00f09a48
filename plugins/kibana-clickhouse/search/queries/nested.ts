import { caseIgnoreField } from '../../clickhouse/catalog/case-ignore';
import type { ColumnType } from '../../clickhouse/catalog/column-type';
import type { Field, Table } from '../../clickhouse/catalog/table';
import { asContainer } from '../../clickhouse/catalog/container';
import { objectField, refusedField, valueFields } from '../../clickhouse/catalog/value-fields';
import { alwaysFalse, call, column, lambda, param } from '../../clickhouse/sql/build';
import type { Expr } from '../../clickhouse/sql/nodes';
import {
  illegalArgument,
  parsingError,
  queryShardError,
  unsupported,
} from '../../common/errors/catalogue';
import { type JsonValue, isJsonObject } from '../../common/json/json';
import { stringOf } from '../values/field-value';
import { type ParseQuery, type QueryContext, type QueryNode, defineClause } from './definition';
import { booleanOption, checkCommonOption, clauseObject, textOption } from './options';

interface NestedParams {
  readonly path: string;
  readonly query: QueryNode;
  readonly ignoreUnmapped: boolean;
}

/**
 * `{"nested": {"path": "items", "query": {…}}}`: one element of an Array(Tuple) column, or of the arrays of a Nested one, for
 * which the whole query holds. Fields outside of the path have no values there.
 */
export const nested = defineClause<NestedParams>({
  name: 'nested',
  parse(body, parseQuery) {
    const draft: { path?: string; query?: QueryNode; ignoreUnmapped: boolean } = {
      ignoreUnmapped: false,
    };
    for (const [key, value] of Object.entries(clauseObject('nested', body))) {
      // as in Elasticsearch 7.17
      if (value === null) continue;
      if (key === 'path') draft.path = textOption('nested', key, value);
      else if (key === 'query') draft.query = parseInner(value, parseQuery);
      else if (key === 'ignore_unmapped') draft.ignoreUnmapped = booleanOption(key, value);
      else if (key === 'score_mode') requireScoreMode(value);
      else if (key === 'inner_hits') throw unsupported('[inner_hits] of query [nested]');
      else if (key === 'boost' || key === '_name') checkCommonOption(key, value);
      else throw parsingError(`[nested] query does not support [${key}]`);
    }
    const { path, query, ignoreUnmapped } = draft;
    if (path === undefined) throw illegalArgument("[nested] requires 'path' field");
    if (query === undefined) throw illegalArgument("[nested] requires 'query' field");
    return { path, query, ignoreUnmapped };
  },
  toCondition({ path, query, ignoreUnmapped }, context) {
    const elements = elementsOf(context.table, path);
    if (elements === undefined) {
      if (ignoreUnmapped) return alwaysFalse;
      const reason = `[nested] failed to find nested object under path [${path}]`;
      throw queryShardError(`failed to create query: ${reason}`, [
        { type: 'illegal_state_exception', reason },
      ]);
    }
    return anyElement(elements, query, context);
  },
});

function parseInner(value: JsonValue, parseQuery: ParseQuery): QueryNode {
  if (!isJsonObject(value)) throw parsingError('[nested] query does not support [query]');
  return parseQuery(value);
}

const scoreModes: readonly string[] = ['none', 'avg', 'max', 'min', 'sum'];

function requireScoreMode(value: JsonValue): void {
  if (!scoreModes.includes(stringOf(value)))
    throw illegalArgument(`No score mode for child query [${stringOf(value)}] found`);
}

/** What one element of a path holds, and where the elements are. */
export interface Elements {
  readonly path: string;
  readonly members: readonly { readonly name: string; readonly type: ColumnType }[];
  /** The array of elements with the members of these places, in this order. */
  readonly array: (members: readonly number[]) => Expr;
  /** Reads a member out of an element; `place` is its place in that order. */
  readonly member: (element: Expr, name: string, place: number) => Expr;
}

/** The elements of an Array(Tuple) column or of the arrays of a Nested one; undefined where a path is neither. */
export function elementsOf(table: Table, path: string): Elements | undefined {
  const own = table.columns.find(({ name }) => name === path);
  if (own) return tupleElements(path, own.type);
  const parts = table.columns.filter(({ name }) => name.startsWith(`${path}.`));
  if (parts.length === 0 || parts.some(({ type }) => type.name !== 'Array')) return undefined;
  return {
    path,
    members: parts.flatMap(({ name, type }) => {
      const [inner] = type.inner;
      return inner === undefined ? [] : [{ name: name.slice(path.length + 1), type: inner }];
    }),
    array: (used) => call('arrayZip', ...used.map((place) => column(parts[place]?.name ?? ''))),
    member: (element, _name, place) => call('tupleElement', element, param(place + 1, 'UInt8')),
  };
}

/** An Array of named Tuples, or a Nested that is not flattened. */
function tupleElements(path: string, type: ColumnType): Elements | undefined {
  const tuple = type.name === 'Nested' ? type : type.inner[0];
  if (tuple === undefined || (type.name !== 'Nested' && type.name !== 'Array')) return undefined;
  if (tuple.names.length === 0) return undefined;
  return {
    path,
    members: tuple.names.flatMap((name, i) => {
      const inner = tuple.inner[i];
      return inner === undefined ? [] : [{ name, type: inner }];
    }),
    array: () => column(path),
    member: (element, name) => call('tupleElement', element, param(name, 'String')),
  };
}

/** The lambda's argument: conditions on the values of an element use others. */
const argument = 'n';

function anyElement(elements: Elements, query: QueryNode, context: QueryContext): Expr {
  const { table, array } = elementTable(context.table, elements, argument);
  const condition = query.toCondition({ ...context, table });
  return call('arrayExists', lambda(argument, condition), array());
}

/** The elements of a row as documents of their own. */
export interface ElementTable {
  /** Its fields are those of one element. */
  readonly table: Table;
  /** The array of elements, with the members whose fields were asked for. */
  readonly array: () => Expr;
}

/** Makes documents of elements, each of which is read from the column or argument of the given name. */
export function elementTable(table: Table, elements: Elements, element: string): ElementTable {
  // only the members that are named are read
  const used: number[] = [];
  const placeOf = (place: number): number => {
    const known = used.indexOf(place);
    return known >= 0 ? known : used.push(place) - 1;
  };
  return {
    table: tableOf(table, elements, { element, placeOf }),
    array: () => elements.array(used.length > 0 ? used : [0]),
  };
}

/** A table whose fields are those of one element. */
function tableOf(
  table: Table,
  { path, members, member: read }: Elements,
  { element, placeOf }: { readonly element: string; readonly placeOf: (place: number) => number },
): Table {
  const fieldsOf = (place: number): readonly Field[] => {
    const member = members[place];
    if (member === undefined) return [];
    const source = {
      name: `${path}.${member.name}`,
      type: member.type,
      expr: read(column(element), member.name, placeOf(place)),
    };
    return asContainer(source)
      ? [refusedField(source, 'it holds further fields within a nested one')]
      : valueFields(source);
  };
  const field = (name: string): Field | undefined => {
    if (name === path) return objectField(path);
    const base = name.endsWith('.keyword') ? name.slice(0, -'.keyword'.length) : name;
    const place = members.findIndex((member) => [name, base].includes(`${path}.${member.name}`));
    const found = place < 0 ? [] : fieldsOf(place);
    return found.find((one) => one.name === name) ?? (name === base ? undefined : found[0]);
  };
  return {
    ...table,
    timeField: undefined,
    // read on demand: patterns in names look through all of them
    get fields() {
      return new Map(members.flatMap((_, place) => fieldsOf(place)).map((one) => [one.name, one]));
    },
    field: (name) =>
      field(name) ?? (table.ckibanaSyntax ? caseIgnoreField(name, field) : undefined),
  };
}
