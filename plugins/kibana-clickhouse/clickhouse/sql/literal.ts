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
  `'${[...value].map((character) => ESCAPES[character] ?? character).join('')}'`;

/** An identifier in backticks; any character may stand in it. */
export const identifier = (name: string): string => `\`${name.replace(/[\\`]/g, '\\$&')}\``;

/**
 * The one place that writes values into SQL text: long lists that parameters cannot carry (they
 * travel in the URL, ClickHouse stops at 128 KiB a field), and the text a person reads.
 */
export function literal(value: SqlValue): string {
  switch (typeof value) {
    case 'string':
      return stringLiteral(value);
    case 'number':
      return numberLiteral(value);
    case 'bigint':
    case 'boolean':
      return String(value);
    case 'object':
      return value === null ? 'NULL' : `[${value.map(literal).join(', ')}]`;
  }
}

function numberLiteral(value: number): string {
  if (Number.isNaN(value)) return 'nan';
  if (!Number.isFinite(value)) return value > 0 ? 'inf' : '-inf';
  return Object.is(value, -0) ? '-0.' : String(value);
}
