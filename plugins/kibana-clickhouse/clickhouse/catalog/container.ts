import { and, call, column, lambda, param, subcolumn } from '../sql/build';
import type { Expr } from '../sql/nodes';
import {
  type ColumnType,
  type TypesByPath,
  arrayOf,
  innermostElement,
  parseColumnType,
} from './column-type';
import { elasticsearchType } from './elasticsearch-type';
import type { ValueSource } from './value-source';

/** A source whose values have names of their own. */
export interface Container {
  /** Names that are known: elements of a Tuple, paths of a JSON column; undefined for a Map, whose keys are data. */
  readonly names: readonly string[] | undefined;
  /** The source under a name; undefined when there can be none. */
  child(name: string): ValueSource | undefined;
}

/** What a source contains, when it is a Map, a named Tuple, Nested, an array of these, or a JSON column. */
export function asContainer(source: ValueSource): Container | undefined {
  const { type } = source;
  if (innermostElement(type).element.name === 'Map') return mapContainer(source);
  if (source.paths) return jsonContainer(source, source.paths);
  const [inner] = type.inner;
  const arrayed = type.name === 'Array' && inner !== undefined;
  const element = arrayed ? inner : type;
  const repeated = arrayed || type.name === 'Nested';
  if (element.name !== 'Tuple' && element.name !== 'Nested') return undefined;
  if (element.names.length === 0 || elasticsearchType(element).type !== 'unknown') return undefined;
  return {
    names: element.names,
    child: (name) => {
      const member = element.inner[element.names.indexOf(name)];
      if (member === undefined) return undefined;
      return {
        ...inherited(source),
        name: `${source.name}.${name}`,
        type: repeated ? arrayOf(member) : orNullable(member, type.nullable),
        expr: call('tupleElement', source.expr, param(name, 'String')),
      };
    },
  };
}

const inherited = ({ guard }: ValueSource): { readonly guard?: Expr } => (guard ? { guard } : {});

const orNullable = (type: ColumnType, nullable: boolean): ColumnType =>
  nullable && !type.nullable ? { ...type, nullable, text: `Nullable(${type.text})` } : type;

function mapContainer(source: ValueSource): Container | undefined {
  const { depth, element } = innermostElement(source.type);
  const [keyType, valueType] = element.inner;
  if (keyType === undefined || valueType === undefined) return undefined;
  const keyOf = keyReader(keyType);
  if (keyOf === undefined) return undefined;
  const child = depth === 0 ? valueOfMap : valuesOfMaps;
  return {
    names: undefined,
    child: (name) => {
      const key = keyOf(name);
      return key && child({ ...source, name: `${source.name}.${name}` }, key, valueType);
    },
  };
}

function valueOfMap({ name, expr, guard }: ValueSource, key: Expr, type: ColumnType): ValueSource {
  const present = call('mapContains', expr, key);
  return {
    name,
    type,
    expr: call('arrayElement', expr, key),
    // NULL is the default of a Nullable value: an absent key reads as missing by itself
    ...(!type.nullable && { guard: guard ? and([guard, present]) : present }),
  };
}

/** The values that the Maps of an array have under a key. */
function valuesOfMaps(source: ValueSource, key: Expr, type: ColumnType): ValueSource {
  const x = column('x');
  const flat =
    innermostElement(source.type).depth > 1 ? call('arrayFlatten', source.expr) : source.expr;
  const having = call('arrayFilter', lambda('x', call('mapContains', x, key)), flat);
  return {
    name: source.name,
    type: arrayOf(type),
    expr: call('arrayMap', lambda('x', call('arrayElement', x, key)), having),
  };
}

/** The paths of a JSON column: those that its type declares and those that were seen, any other as well. */
function jsonContainer({ name, type, expr }: ValueSource, paths: TypesByPath): Container {
  const declared = new Map(type.names.map((path, i) => [path, type.inner[i]]));
  const seen = [...paths.keys()].filter((path) => !declared.has(path));
  const read = (path: string): Pick<ValueSource, 'name' | 'expr'> => ({
    name: `${name}.${path}`,
    expr: expr.kind === 'column' ? subcolumn(expr.name, path.split('.')) : expr,
  });
  return {
    names: [...declared.keys(), ...seen].sort(),
    child: (path) => {
      const own = declared.get(path);
      if (own) return { ...read(path), type: own };
      const above = parentsOf(path);
      // what it holds is found by its own type
      if (above.some((parent) => declared.has(parent))) return undefined;
      const objects = [...above, path]
        .flatMap((parent) => paths.get(parent) ?? [])
        .find(holdsObjects);
      if (objects) return { ...read(path), type: objects };
      return { ...read(path), type: dynamicType, seen: paths.get(path) ?? [] };
    },
  };
}

const dynamicType = parseColumnType('Dynamic');

const holdsObjects = (type: ColumnType): boolean => innermostElement(type).element.name === 'JSON';

const parentsOf = (path: string): readonly string[] =>
  [...path.matchAll(/\./g)].map(({ index }) => path.slice(0, index));

/** How a name becomes a key; undefined for key types that no field name can spell. */
function keyReader(type: ColumnType): ((name: string) => Expr | undefined) | undefined {
  if (type.name === 'String' || type.name === 'FixedString') return (name) => param(name, 'String');
  const integer = /^(U?)Int(8|16|32|64)$/.exec(type.name);
  if (!integer) return undefined;
  const signed = integer[1] === '';
  const bits = BigInt(integer[2] ?? '0');
  const [low, high] = signed
    ? [-(1n << (bits - 1n)), (1n << (bits - 1n)) - 1n]
    : [0n, (1n << bits) - 1n];
  return (name) => {
    if (!/^(?:0|-?[1-9]\d{0,19})$/.test(name)) return undefined;
    const value = BigInt(name);
    return value < low || value > high ? undefined : param(value, type.name);
  };
}
