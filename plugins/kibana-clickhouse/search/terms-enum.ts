import type { Field, Table } from '../clickhouse/catalog/table';
import { and, as, asc, binary, call, column, isAlwaysTrue, param } from '../clickhouse/sql/build';
import type { Expr, SelectNode } from '../clickhouse/sql/nodes';
import type { Scope } from './plan/aggregation-plan';

/** What a `_terms_enum` asks for. */
export interface TermsEnumRequest {
  readonly field: string;
  /** The terms start with it; empty: all. */
  readonly prefix: string;
  readonly caseInsensitive: boolean;
  /** The terms stand behind it in the order of bytes; absent: from the first. */
  readonly searchAfter?: string;
  /** Terms at most. */
  readonly size: number;
}

/**
 * The statement that lists the terms of a field which start with a prefix, in the order of bytes; one more than asked for
 * would tell nothing, and is not read. Undefined where the field has no terms to list: an unmapped name, a number, a date. A text field lists
 * its keyword. Case is ignored of ASCII letters only, as in Elasticsearch 7.17 (`AutomatonQueries`).
 */
export function planTermsEnum(
  request: TermsEnumRequest,
  table: Table,
  { where, timeRange }: Scope,
): SelectNode | undefined {
  const field = enumeratedField(request.field, table);
  if (field === undefined) return undefined;
  const { database, name } = table;
  const inner: SelectNode = {
    columns: [as('term', termOf(field))],
    from: { kind: 'table', database, table: name },
    where,
    ...(timeRange && { timeRange }),
  };
  const term = column('term');
  const wanted = and([...matching(term, request), ...isPresent(field, term)]);
  return {
    columns: [as('term', term)],
    from: { kind: 'select', select: inner },
    ...(!isAlwaysTrue(wanted) && { where: wanted }),
    groupBy: { kind: 'keys', keys: [term] },
    orderBy: [asc(term)],
    limit: request.size,
  };
}

function enumeratedField(name: string, table: Table): Field | undefined {
  const named = table.field(name);
  const field = named?.twin === undefined ? named : table.field(named.twin);
  if (field === undefined || field.refusal !== undefined) return undefined;
  return field.type === 'keyword' || field.type === 'ip' ? field : undefined;
}

/** A field with several values gives a row for each; an address is as it is printed (Elasticsearch 8.8). */
function termOf(field: Field): Expr {
  const value = field.multiValued ? call('arrayJoin', field.expr) : field.expr;
  const text = call('toString', value);
  return field.type === 'ip'
    ? call('replaceRegexpOne', text, param('^::ffff:', 'String'), param('', 'String'))
    : text;
}

const isPresent = (field: Field, term: Expr): readonly Expr[] =>
  field.nullable || field.multiValued ? [call('isNotNull', term)] : [];

function matching(
  term: Expr,
  { prefix, caseInsensitive, searchAfter }: TermsEnumRequest,
): readonly Expr[] {
  const text = (value: string): Expr => param(value, 'String');
  const starts = caseInsensitive
    ? call('startsWith', call('lower', term), text(asciiLower(prefix)))
    : call('startsWith', term, text(prefix));
  return [
    ...(prefix === '' ? [] : [starts]),
    ...(searchAfter === undefined ? [] : [binary('>', term, text(searchAfter))]),
  ];
}

const asciiLower = (text: string): string =>
  text.replaceAll(/[A-Z]+/g, (letters) => letters.toLowerCase());
