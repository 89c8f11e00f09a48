import { array, call, column, eq, lambda, param } from '../sql/build';
import type { Expr } from '../sql/nodes';
import { type ColumnType, type TypesByPath, parseColumnType } from './column-type';
import type { Field } from './table';
import { objectField, refusedField, valueFields } from './value-fields';
import type { ValueSource } from './value-source';

/**
 * Whether a column is the specification's helper text column: a String `ck_assembly_extension` with a JSON object of further
 * fields of the document.
 */
export const isExtensionColumn = (name: string, type: ColumnType): boolean =>
  name === 'ck_assembly_extension' && type.name === 'String';

/** Stands between the names of a path: a name may have dots in it. */
const separator = '\u001f';

/** What a row's object holds: pairs of a path (of one name, or two) and the type that ClickHouse's JSONType gives its value. */
export function extensionContent(name: string): Expr {
  const x = column('x');
  const y = column('y');
  const member = (pair: Expr, place: number): Expr =>
    call('tupleElement', pair, param(place, 'UInt8'));
  const typeOf = (pair: Expr): Expr => call('toString', call('JSONType', member(pair, 2)));
  const text = call('ifNull', call('CAST', column(name), nullableString), param('', 'String'));
  const pairs = call('JSONExtractKeysAndValuesRaw', text);
  const objects = call(
    'arrayFilter',
    lambda('x', call('startsWith', member(x, 2), param('{', 'String'))),
    pairs,
  );
  const below = call(
    'arrayMap',
    lambda(
      'y',
      call(
        'tuple',
        call('concat', member(x, 1), param(separator, 'String'), member(y, 1)),
        typeOf(y),
      ),
    ),
    call('JSONExtractKeysAndValuesRaw', member(x, 2)),
  );
  return call(
    'arrayConcat',
    call('arrayMap', lambda('x', call('tuple', member(x, 1), typeOf(x))), pairs),
    call('arrayFlatten', call('arrayMap', lambda('x', below), objects)),
  );
}

const nullableString = param('Nullable(String)', 'String');

/** The fields inside of an extension column, in order: of one type where all values seen fit one, text else. */
export function extensionFields(name: string, paths: TypesByPath): readonly Field[] {
  const names = [...paths.keys()].sort();
  return names.flatMap((path) => {
    const parts = path.split(separator);
    const types = (paths.get(path) ?? [])
      .map((type) => type.name)
      .filter((type) => type !== 'Null');
    const source: ValueSource = {
      name: parts.join('.'),
      type: parseColumnType('Nullable(String)'),
      expr: extract(column(name), parts, 'Nullable(String)'),
    };
    if (types.length === 0) return [];
    if (!types.includes('Object'))
      return valueFields(typedSource(source, column(name), parts, types));
    return parts.length === 1 && types.length === 1
      ? [objectField(source.name, source)]
      : [refusedField(source, `it is an object inside of the column [${name}]`)];
  });
}

/** A field inside that no sampled row has; its name may mean one key with dots, or objects in objects. */
export function unseenExtensionField(name: string, wanted: string): Field | undefined {
  if (wanted.startsWith('_')) return undefined;
  const twinOf = wanted.endsWith('.keyword') ? wanted.slice(0, -'.keyword'.length) : undefined;
  const path = twinOf ?? wanted;
  const ways = path.includes('.') ? [[path], path.split('.')] : [[path]];
  const values = ways.map((parts) => textsAt(column(name), parts));
  const fields = valueFields({
    name: path,
    type: parseColumnType('Array(Nullable(String))'),
    expr: call('arrayConcat', ...values),
    unseen: true,
  });
  return fields.find((field) => field.name === wanted);
}

const scalarTypes: Readonly<Record<string, string>> = {
  Bool: 'Bool',
  Double: 'Float64',
  Int64: 'Int64',
  String: 'String',
  UInt64: 'UInt64',
};

function typedSource(
  source: ValueSource,
  text: Expr,
  parts: readonly string[],
  types: readonly string[],
): ValueSource {
  if (types.includes('Array'))
    return {
      ...source,
      type: parseColumnType('Array(Nullable(String))'),
      expr: textsAt(text, parts),
    };
  const type = `Nullable(${commonScalar(types)})`;
  return { ...source, type: parseColumnType(type), expr: extract(text, parts, type) };
}

function commonScalar(types: readonly string[]): string {
  const [first = 'String'] = types;
  if (types.length === 1) return scalarTypes[first] ?? 'String';
  return types.every((type) => type.endsWith('Int64') || type === 'Double') ? 'Float64' : 'String';
}

/** The value at a path, or the elements of the array that stands there, as texts. */
const textsAt = (text: Expr, parts: readonly string[]): Expr =>
  call(
    'if',
    eq(call('JSONType', text, ...names(parts)), param('Array', 'String')),
    extract(text, parts, 'Array(Nullable(String))'),
    array([extract(text, parts, 'Nullable(String)')]),
  );

const extract = (text: Expr, parts: readonly string[], type: string): Expr =>
  call('JSONExtract', text, ...names(parts), param(type, 'String'));

const names = (parts: readonly string[]): readonly Expr[] =>
  parts.map((part) => param(part, 'String'));
