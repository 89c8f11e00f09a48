/** A number of rows in few characters: `10.0 M`, `16 k`, `500`. */
export function readable(rows: number): string {
  if (rows >= 1e6) return `${(rows / 1e6).toFixed(1)} M`;
  return rows >= 1e4 ? `${(rows / 1e3).toFixed(0)} k` : String(rows);
}
