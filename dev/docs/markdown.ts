/** A Markdown table. Cells may hold any text; a bar in one is escaped. */
export function markdownTable(
  header: readonly string[],
  rows: readonly (readonly string[])[],
): string {
  const line = (cells: readonly string[]): string =>
    `| ${cells.map((cell) => cell.replaceAll('|', '\\|')).join(' | ')} |`;
  return [header, header.map(() => '---'), ...rows].map(line).join('\n');
}

/** Keeps the formatter's hands off generated Markdown: it would pad every cell to its column's widest. */
export const unformatted = (text: string): string =>
  `<!-- prettier-ignore-start -->\n\n${text}\n\n<!-- prettier-ignore-end -->`;
