import * as fc from 'fast-check';
import {
  type JsonObject,
  type JsonValue,
  isJsonArray,
  isJsonObject,
} from '../../../plugins/kibana-clickhouse/common/json/json';
import * as column from '../../datasets/dataset';
import { type ColumnKind, columnKinds, timestamp } from './column-kinds';
import {
  type FieldKind,
  type FieldValue,
  type FuzzDocuments,
  type FuzzField,
  uniqueField,
} from './field';
import { type Spread, spreads } from './instants';

type Cells = readonly (JsonValue | undefined)[];

function scalars(value: JsonValue | undefined): readonly FieldValue[] {
  if (value === undefined || value === null) return [];
  if (isJsonArray(value)) return value.flatMap(scalars);
  if (isJsonObject(value)) return Object.values(value).flatMap(scalars);
  return [value];
}

function fieldsOf(kind: ColumnKind, cells: Cells): readonly FuzzField[] {
  const values = [...new Set(cells.flatMap(scalars))];
  return kind.fields.map((field) => ({
    ...field,
    values: values.filter((value) => isOfKind(field, value)).slice(0, 40),
  }));
}

/** Of a column with fields of several kinds each has its own values. */
function isOfKind({ kind }: Pick<FuzzField, 'kind'>, value: FieldValue): boolean {
  if (kind === 'integer' || kind === 'decimal') return typeof value !== 'string';
  return kind === 'text' || kind === 'keyword' ? typeof value === 'string' : true;
}

/** Few different values, so that there are ties. */
function cellsOf(kind: ColumnKind, spread: Spread, rows: number): fc.Arbitrary<Cells> {
  const most = kind === timestamp ? 60 : 9;
  return fc
    .array(kind.value(spread), { minLength: 1, maxLength: most, size: 'max' })
    .chain((values) => {
      const value = fc.constantFrom(...values);
      const lacking = { weight: 1, arbitrary: fc.constant(undefined) };
      const cell = kind.optional ? fc.oneof({ weight: 3, arbitrary: value }, lacking) : value;
      return fc.array(cell, { minLength: rows, maxLength: rows });
    });
}

interface Shape {
  readonly spread: Spread;
  readonly kinds: readonly ColumnKind[];
  readonly rows: number;
}

/** Kinds of fields without which there is nothing to ask some clauses and aggregations about. */
const needed: readonly FieldKind[] = ['keyword', 'integer', 'decimal'];

const hasField = (kinds: readonly ColumnKind[], wanted: FieldKind): boolean =>
  kinds.some(({ fields }) => fields.some(({ kind }) => kind === wanted));

const shapes: fc.Arbitrary<Shape> = fc.record({
  spread: spreads,
  kinds: fc
    .shuffledSubarray([...columnKinds], { minLength: 12, maxLength: 18 })
    .filter((kinds) => needed.every((kind) => hasField(kinds, kind)))
    .map((kinds) => [timestamp, ...kinds]),
  rows: fc.integer({ min: 30, max: 120 }),
});

/** Documents of some twelve to eighteen columns beside their timestamp and number. */
export const documents: fc.Arbitrary<FuzzDocuments> = shapes.chain((shape) =>
  fc
    .tuple(...shape.kinds.map((kind) => cellsOf(kind, shape.spread, shape.rows)))
    .map((cells) => assemble(shape, cells)),
);

function assemble({ spread, kinds, rows }: Shape, cells: readonly Cells[]): FuzzDocuments {
  const row = (at: number): JsonObject => {
    const own = kinds.flatMap(({ column: { name } }, position): [string, JsonValue][] => {
      const cell = cells[position]?.[at];
      return cell === undefined ? [] : [[name, cell]];
    });
    return Object.fromEntries([[uniqueField, at], ...own]);
  };
  return {
    columns: [column.long(uniqueField), ...kinds.map((kind) => kind.column)],
    fields: kinds.flatMap((kind, position) => fieldsOf(kind, cells[position] ?? [])),
    rows: Array.from({ length: rows }, (_, at) => row(at)),
    ...spread,
  };
}
