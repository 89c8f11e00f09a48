import type { Table } from '../../clickhouse/catalog/table';
import type { Cell } from '../../clickhouse/execution/executor';
import { as, integer } from '../../clickhouse/sql/build';
import type { Expr, SelectColumn } from '../../clickhouse/sql/nodes';

/** The values of one row that stand before its `_source`. */
export type Cells = Readonly<Record<string, Cell>>;

/** Takes one value out of a row. */
export type ReadCell = (cells: Cells) => Cell;

/** One row of the hits: values for the hit itself, and its `_source` as ClickHouse wrote it. */
export interface HitLine {
  readonly cells: Cells;
  /** JSON text of an object. */
  readonly source: string;
}

/**
 * Collects what a statement selects for its hits and takes its lines apart again. A line is
 * `{"_hit_0":…,"_hit_1":…,"_hit_source":1,"host":"web-1",…}`: cells first, then a sentinel column,
 * then the columns of `_source` under their own names, whose text is never parsed.
 */
export class HitColumns {
  readonly #prefix: string;
  readonly #cells: SelectColumn[] = [];
  readonly #byExpr = new Map<string, string>();

  constructor(table: Table) {
    this.#prefix = freePrefix(table);
  }

  /**
   * Selects an expression, once however often it is asked for. Its value must be a scalar or nested
   * arrays of scalars, never an object: see `splitLine`.
   */
  add(expr: Expr): ReadCell {
    const alias = this.alias(expr);
    return (cells) => cells[alias] ?? null;
  }

  /** Like `add`, for use within the same statement: gives the name of the column. */
  alias(expr: Expr): string {
    const key = JSON.stringify(expr, (_, value: unknown) =>
      typeof value === 'bigint' ? `${value.toString()}n` : value,
    );
    const known = this.#byExpr.get(key);
    if (known !== undefined) return known;
    const alias = `${this.#prefix}${String(this.#cells.length)}`;
    this.#byExpr.set(key, alias);
    this.#cells.push(as(alias, expr));
    return alias;
  }

  /** All columns of the statement, in the order that `splitLine` expects. */
  select(source: readonly SelectColumn[]): readonly SelectColumn[] {
    return [...this.#cells, as(this.#sentinelName, integer(1)), ...source];
  }

  /**
   * Takes a line apart at the first occurrence of the sentinel's text. It cannot occur earlier: it
   * contains unescaped quotes, which inside a JSON string are always escaped; so it could only be a key
   * followed by 1, and cells hold no objects, hence no keys.
   */
  splitLine(line: string): HitLine {
    const sentinel = `"${this.#sentinelName}":1`;
    const at = line.indexOf(sentinel);
    if (at < 0) throw new TypeError('a line of the hits has a sentinel');
    // the comma behind the last cell stands before the sentinel
    const head = at === 1 ? '{}' : `${line.slice(0, at - 1)}}`;
    const rest = line.slice(at + sentinel.length);
    return {
      cells: JSON.parse(head) as Cells,
      source: rest.startsWith(',') ? `{${rest.slice(1)}` : '{}',
    };
  }

  get #sentinelName(): string {
    return `${this.#prefix}source`;
  }
}

/** A start of names that no column of the table has. */
function freePrefix({ columns }: Table): string {
  let prefix = '_hit_';
  while (columns.some(({ name }) => name.startsWith(prefix))) prefix = `_${prefix}`;
  return prefix;
}
