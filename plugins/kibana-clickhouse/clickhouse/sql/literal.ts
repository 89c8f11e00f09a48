import type { SqlValue } from './nodes';

const ESCAPES: Readonly<Record<string, string>> = {
  '\\': '\\\\',
  "'": "\\'",
  '\0': '\\0',
  '\b': '\\b',
  '\f': '\\f',
  '\n': '\\n',
  '\r': '\\r',
  '\t': '\\t',
};

/** A string as a ClickHouse literal. ClickHouse reads exactly the same characters back. */
const stringLiteral = (value: string): string =>
  `'${value.replace(/[\\'\0\b\f\n\r\t]/g, (character) => ESCAPES[character] ?? character)}'`;

/** An identifier in backticks; any character may stand in it. */
export const identifier = (name: string): string => `\`${name.replace(/[\\`]/g, '\\$&')}\``;

/**
 * The one place that writes values into SQL text: long lists that parameters cannot carry (they
 * travel in the URL, ClickHouse stops at 128 KiB a field), and the text a person reads.
 */
export function literal(value: SqlValue): string {
  if (value === null) return 'NULL';
  if (typeof value === 'string') return stringLiteral(value);
  if (typeof value === 'number') return numberLiteral(value);
  if (typeof value === 'object') return `[${value.map(literal).join(', ')}]`;
  return String(value);
}

function numberLiteral(value: number): string {
  if (Number.isNaN(value)) return 'nan';
  if (!Number.isFinite(value)) return value > 0 ? 'inf' : '-inf';
  return Object.is(value, -0) ? '-0.' : String(value);
}
