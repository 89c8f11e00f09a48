import { and, call, param } from '../sql/build';
import type { Expr } from '../sql/nodes';
import type { ColumnType } from './column-type';
import { elasticsearchType } from './elasticsearch-type';
import type { ValueSource } from './value-fields';

/** A source whose values have names of their own. */
export interface Container {
  /** Names that are known beforehand: elements of a Tuple; undefined for a Map, whose keys are data. */
  readonly names: readonly string[] | undefined;
  /** The source under a name; undefined when there can be none. */
  child(name: string): ValueSource | undefined;
}

/** What a source contains, when it is a Map, a named Tuple, Nested or an array of named Tuples. */
export function asContainer(source: ValueSource): Container | undefined {
  const { type } = source;
  if (type.name === 'Map') return mapContainer(source);
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

const arrayOf = (element: ColumnType): ColumnType => ({
  name: 'Array',
  nullable: false,
  lowCardinality: false,
  inner: [element],
  names: [],
  literals: [],
  text: `Array(${element.text})`,
});

const orNullable = (type: ColumnType, nullable: boolean): ColumnType =>
  nullable && !type.nullable ? { ...type, nullable, text: `Nullable(${type.text})` } : type;

function mapContainer(source: ValueSource): Container | undefined {
  const [keyType, valueType] = source.type.inner;
  if (keyType === undefined || valueType === undefined) return undefined;
  const keyOf = keyReader(keyType);
  if (keyOf === undefined) return undefined;
  return {
    names: undefined,
    child: (name) => {
      const key = keyOf(name);
      if (key === undefined) return undefined;
      const present = call('mapContains', source.expr, key);
      return {
        name: `${source.name}.${name}`,
        type: valueType,
        expr: call('arrayElement', source.expr, key),
        // NULL is the default of a Nullable value: an absent key reads as missing by itself
        ...(!valueType.nullable && {
          guard: source.guard ? and([source.guard, present]) : present,
        }),
      };
    },
  };
}

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
