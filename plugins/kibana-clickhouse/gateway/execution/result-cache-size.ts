import type { Cell } from '../../clickhouse/execution/executor';

/** Of a value, a string or a list beside its content, in V8. */
const OVERHEAD_BYTES = 16;

/** Bytes that lines of text take in memory, about. */
export const bytesOfLines = (lines: readonly string[]): number =>
  lines.reduce((sum, line) => sum + bytesOfCell(line), OVERHEAD_BYTES);

/** Bytes that a cell, a row or a list of rows takes in memory, about; more rather than less. */
export function bytesOfCell(cell: Cell): number {
  if (typeof cell === 'string') return OVERHEAD_BYTES + 2 * cell.length;
  if (typeof cell !== 'object' || cell === null) return OVERHEAD_BYTES;
  if (Array.isArray(cell))
    return (cell as readonly Cell[]).reduce<number>(
      (sum, one) => sum + bytesOfCell(one),
      OVERHEAD_BYTES,
    );
  return Object.entries(cell).reduce(
    (sum, [key, value]) => sum + bytesOfCell(key) + bytesOfCell(value),
    OVERHEAD_BYTES,
  );
}
