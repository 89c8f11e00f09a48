import { call, column, lambda, param } from '../sql/build';
import type { Expr } from '../sql/nodes';
import type { Field } from './table';
import { refusedField } from './value-fields';

const suffix = '.caseIgnore';
const exactSuffix = `${suffix}.keyword`;

/**
 * The field that CKibana's own spellings mean (`ckibanaSyntax`): `name.caseIgnore` the texts of `name` of which a part is
 * looked for whatever the case, also where other texts are searched by words; `name.caseIgnore.keyword` the whole values
 * in lower case, as a keyword of Elasticsearch with the normalizer `lowercase` has them. Undefined for other names, and
 * where there is no `name`; a field that is no text is refused.
 */
export function caseIgnoreField(
  wanted: string,
  fieldOf: (name: string) => Field | undefined,
): Field | undefined {
  if (wanted.endsWith(suffix)) return anyCasePart(wanted, fieldOf(wanted.slice(0, -suffix.length)));
  if (!wanted.endsWith(exactSuffix)) return undefined;
  return inLowerCase(wanted, fieldOf(wanted.slice(0, -exactSuffix.length)));
}

function anyCasePart(wanted: string, field: Field | undefined): Field | undefined {
  if (field === undefined || !isText(field)) return refused(wanted, field);
  return {
    ...valuesOf(field),
    type: 'text',
    matching: 'text',
    aggregatable: false,
    twin: field.twin ?? field.name,
    textSearch: 'contains',
  };
}

function inLowerCase(wanted: string, field: Field | undefined): Field | undefined {
  if (field === undefined || !isText(field)) return refused(wanted, field);
  const expr = field.multiValued
    ? call('arrayMap', lambda('x', lowerCased(column('x'))), field.expr)
    : lowerCased(field.expr);
  return {
    ...valuesOf(field),
    name: wanted,
    type: 'keyword',
    matching: 'exact',
    aggregatable: true,
    expr,
    inLowerCase: true,
  };
}

/** What is read, without another expression that serves as well. */
const valuesOf = (field: Field): Omit<Field, 'type' | 'matching' | 'aggregatable'> => ({
  name: field.name,
  searchable: field.searchable,
  expr: field.expr,
  valueType: field.valueType,
  multiValued: field.multiValued,
  nullable: field.nullable,
  ...(field.presence && { presence: field.presence }),
  ...(field.unseen && { unseen: field.unseen }),
});

const isText = ({ type, refusal }: Field): boolean =>
  refusal === undefined && (type === 'text' || type === 'keyword');

/** Nothing of an object goes by such a name, and of a field that is no text it says nothing. */
function refused(name: string, field: Field | undefined): Field | undefined {
  if (field === undefined || field.type === 'object') return undefined;
  const source = { name, type: field.valueType, expr: field.expr };
  return refusedField(source, field.refusal ?? `[caseIgnore] is for text, it is a ${field.type}`);
}

/**
 * A text in lower case letter by letter, as Lucene's LowerCaseFilter has it. Of the two letters that are replaced first
 * ClickHouse makes a sigma at a word's end, and an i with a dot of its own.
 */
export const lowerCased = (text: Expr): Expr =>
  call('lowerUTF8', call('translateUTF8', text, param('Σİ', 'String'), param('σi', 'String')));
