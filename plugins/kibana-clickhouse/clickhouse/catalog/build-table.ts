import { column } from '../sql/build';
import {
  type ColumnType,
  type TypesByPath,
  innermostElement,
  isMixedType,
  parseColumnType,
} from './column-type';
import { caseIgnoreField } from './case-ignore';
import { type Container, asContainer } from './container';
import { emptyIsMissing } from './empty-is-missing';
import { epochUnit, isEpochType, isTimeName } from './elasticsearch-type';
import { extensionFields, isExtensionColumn, unseenExtensionField } from './extension-column';
import type { Column, Field, Table, TimeEncoding } from './table';
import { type TimeFieldOptions, chooseTimeField, timeFieldProblem } from './time-field';
import { objectField, refusedField, valueFields } from './value-fields';
import type { ValueSource } from './value-source';

/** A line of `system.columns`. */
export interface ColumnFacts {
  readonly name: string;
  readonly type: string;
  /** '', DEFAULT, MATERIALIZED, ALIAS or EPHEMERAL. */
  readonly defaultKind: string;
}

/** A line of `system.tables` with its columns, in their order. */
export interface TableFacts {
  readonly database: string;
  readonly name: string;
  readonly engine: string;
  readonly sortingKey: string;
  /** The expression of PARTITION BY; absent or empty: none. */
  readonly partitionKey?: string;
  /** The expression of SAMPLE BY; absent or empty: none. */
  readonly samplingKey?: string;
  /** Of a Distributed table its local one, where that is visible. */
  readonly localTable?: Table['localTable'];
  readonly columns: readonly ColumnFacts[];
}

/** What the settings say about a table. */
export interface TableOptions extends TimeFieldOptions {
  /** Columns that make a row one document; absent: all stored columns. */
  readonly idColumns?: readonly string[];
  /** An empty string counts as a missing value. */
  readonly emptyIsMissing?: boolean;
  /** CKibana's own spellings are understood. */
  readonly ckibanaSyntax?: boolean;
}

/** What only the rows tell. */
export interface TableSamples {
  /** Keys of Map columns, by column. */
  readonly mapKeys: ReadonlyMap<string, readonly string[]>;
  /** Types of the paths of JSON columns, and under '' those of Dynamic columns, by column. */
  readonly types?: ReadonlyMap<string, TypesByPath>;
  /** Largest values of integer columns whose name speaks of time, by column; none: empty. */
  readonly largest: ReadonlyMap<string, bigint>;
}

/** Nothing is known of the rows: Maps list no keys, integers named like time count ms. */
export const noSamples: TableSamples = { mapKeys: new Map(), largest: new Map() };

/**
 * Makes the table that requests see out of what ClickHouse says about it. Pure; fields of a type
 * without counterpart are listed, but neither searchable nor aggregatable, and carry a `refusal`.
 */
export function buildTable(
  facts: TableFacts,
  samples: TableSamples = noSamples,
  options: TableOptions = {},
): Table {
  const columns = facts.columns.flatMap(toColumn);
  const sources = columns.map((item) => columnSource(item, samples));
  const asWanted = options.emptyIsMissing === true ? emptyIsMissing : (field: Field) => field;
  const fields = new Map(
    [...listFields(sources, samples)].map(([name, field]) => [name, asWanted(field)]),
  );
  const otherField = (wanted: string): Field | undefined => {
    const found = unlisted(wanted, sources) ?? unseenField(wanted, columns);
    return found && asWanted(found);
  };
  const listedField = (wanted: string): Field | undefined =>
    fields.get(wanted) ?? exactTwin(wanted, fields);
  const plainField = (wanted: string): Field | undefined =>
    listedField(wanted) ?? otherField(wanted);
  const ckibanaSyntax = options.ckibanaSyntax === true;
  const problem = timeFieldProblem(fields, options);
  const { database, name, engine, sortingKey, partitionKey = '', samplingKey = '' } = facts;
  return {
    database,
    name,
    engine,
    sortingKey,
    ...(partitionKey !== '' && { partitionKey }),
    ...(samplingKey !== '' && { samplingKey }),
    ...(facts.localTable && { localTable: facts.localTable }),
    ...(options.idColumns && { idColumns: options.idColumns }),
    columns,
    fields,
    ...(ckibanaSyntax && { ckibanaSyntax }),
    field: (wanted) =>
      // any name may be a key of a Map, a spelling means a key only where it is listed
      listedField(wanted) ??
      (ckibanaSyntax ? caseIgnoreField(wanted, plainField) : undefined) ??
      otherField(wanted),
    timeField: chooseTimeField(fields, sortingKey, options),
    ...(problem !== undefined && { timeFieldProblem: problem }),
  };
}

function listFields(
  sources: readonly ValueSource[],
  samples: TableSamples,
): ReadonlyMap<string, Field> {
  const fields = new Map<string, Field>();
  for (const source of sources) {
    addParents(source.name, fields);
    addFields(source, samples.mapKeys.get(source.name) ?? [], fields);
  }
  const extension = sources.find(({ name, type }) => isExtensionColumn(name, type));
  if (extension === undefined) return fields;
  const { name } = extension;
  for (const field of extensionFields(name, samples.types?.get(name) ?? new Map())) {
    if (fields.has(field.name)) continue;
    addParents(field.name, fields);
    fields.set(field.name, field);
  }
  return fields;
}

/** A name that no column has may be one inside of an extension column. */
function unseenField(wanted: string, columns: readonly Column[]): Field | undefined {
  const extension = columns.find(({ name, type }) => isExtensionColumn(name, type));
  return extension && unseenExtensionField(extension.name, wanted);
}

function toColumn({ name, type, defaultKind }: ColumnFacts): readonly Column[] {
  const parsed = parseColumnType(type);
  if (defaultKind === 'EPHEMERAL' || parsed.name === 'AggregateFunction') return [];
  const kind =
    defaultKind === 'MATERIALIZED' ? 'materialized' : defaultKind === 'ALIAS' ? 'alias' : 'stored';
  return [{ name, type: parsed, kind }];
}

function columnSource({ name, type }: Column, samples: TableSamples): ValueSource {
  const plain = plainType(type);
  const unit =
    isTimeName(name) && isEpochType(plain)
      ? epochUnit(plain, samples.largest.get(name))
      : undefined;
  const time: TimeEncoding | undefined = unit && { kind: 'epoch', unit };
  const paths = samples.types?.get(name);
  const seen = plain.name === 'Dynamic' ? paths?.get('') : undefined;
  return {
    name,
    type: plain,
    expr: column(name),
    ...(time && { time }),
    ...(plain.name === 'JSON' && { paths: paths ?? new Map() }),
    ...(seen && { seen }),
  };
}

/** SimpleAggregateFunction reads as the type it holds. */
const plainType = (type: ColumnType): ColumnType =>
  (type.name === 'SimpleAggregateFunction' ? type.inner[0] : undefined) ?? type;

/** `a.b.c` has the parents `a` and `a.b`, unless they are columns themselves. */
function addParents(name: string, fields: Map<string, Field>): void {
  for (let dot = name.indexOf('.'); dot > 0; dot = name.indexOf('.', dot + 1)) {
    const parent = name.slice(0, dot);
    if (!fields.has(parent)) fields.set(parent, objectField(parent));
  }
}

function addFields(
  source: ValueSource,
  mapKeys: readonly string[],
  fields: Map<string, Field>,
): void {
  const container = asContainer(source);
  if (container === undefined) {
    for (const field of leafFields(source)) fields.set(field.name, field);
    return;
  }
  fields.set(source.name, objectField(source.name, source));
  for (const name of container.names ?? mapKeys) {
    const child = container.child(name);
    if (child && (!fields.has(child.name) || container.names)) {
      addParents(child.name, fields);
      addFields(child, [], fields);
    }
  }
}

function leafFields(source: ValueSource): readonly Field[] {
  if (!isOpaqueObject(source.type)) return valueFields(source);
  const { reason } = refusalOf(source.type);
  return [objectField(source.name, source, reason)];
}

const opaqueTypes: readonly string[] = ['JSON', 'Object', 'Map'];

/** Types with named values inside that cannot be reached: JSON that is no column, and Maps with unusual keys. */
const isOpaqueObject = (type: ColumnType): boolean =>
  opaqueTypes.includes(innermostElement(type).element.name);

const refusalOf = (type: ColumnType): { readonly reason: string } => ({
  reason: `its ClickHouse type [${type.text}] is not supported`,
});

/** Keyword and ip fields answer to `f.keyword` as well. */
function exactTwin(name: string, fields: ReadonlyMap<string, Field>): Field | undefined {
  if (!name.endsWith(twinSuffix)) return undefined;
  const field = fields.get(name.slice(0, -twinSuffix.length));
  return field && hasExactTwin(field) ? { ...field, name } : undefined;
}

const twinSuffix = '.keyword';

const hasExactTwin = (field: Field): boolean =>
  field.refusal === undefined && (field.type === 'keyword' || field.type === 'ip');

/** Below a column: a key of a Map that the sample did not show, or what lies in an opaque object. */
function unlisted(name: string, sources: readonly ValueSource[]): Field | undefined {
  for (const source of sources) {
    if (!name.startsWith(`${source.name}.`)) continue;
    const found = below(source, name.slice(source.name.length + 1));
    if (found) return found;
  }
  return undefined;
}

function below(source: ValueSource, rest: string): Field | undefined {
  const container = asContainer(source);
  if (container) return descend(container, rest);
  if (!isOpaqueObject(source.type) && !isMixedType(innermostElement(source.type).element))
    return undefined;
  const { reason } = refusalOf(source.type);
  return refusedField({ ...source, name: `${source.name}.${rest}` }, reason);
}

function descend(container: Container, rest: string): Field | undefined {
  const whole = container.child(rest);
  const twinOf = rest.endsWith(twinSuffix)
    ? container.child(rest.slice(0, -twinSuffix.length))
    : undefined;
  const twin = twinOf && twinField(twinOf);
  if (twin) return twin;
  if (whole && asContainer(whole) === undefined) return leafFields(whole)[0];
  for (let dot = rest.indexOf('.'); dot > 0; dot = rest.indexOf('.', dot + 1)) {
    const child = container.child(rest.slice(0, dot));
    const found = child && below(child, rest.slice(dot + 1));
    if (found) return found;
  }
  return whole && objectField(whole.name, whole);
}

/** The exact field of a source that has a twin: of a String, a keyword or an ip. */
function twinField(source: ValueSource): Field | undefined {
  if (asContainer(source) || isOpaqueObject(source.type)) return undefined;
  const [field, twin] = valueFields(source);
  if (twin) return twin;
  return field && hasExactTwin(field)
    ? { ...field, name: `${field.name}${twinSuffix}` }
    : undefined;
}
