import { Readable } from 'node:stream';
import { illegalArgument, unsupported } from '../../common/errors/catalogue';
import type { JsonObject } from '../../common/json/json';
import { booleanParameter, listParameter } from '../../search/request/coerce';
import { namePattern, isPattern } from '../../search/request/name-pattern';
import type { GatewayRequest, GatewayResponse } from '../endpoints/definition';

/** A column of a `_cat` endpoint. */
export interface CatColumn {
  readonly name: string;
  readonly aliases?: readonly string[];
  readonly align?: 'right';
  /** Shown only where `h` names it. */
  readonly isExtra?: true;
}

/** One line: text by column, under the column's own name; null and absent: empty. */
export type CatRow = Readonly<Record<string, string | null>>;

/** Parameters of every `_cat` endpoint besides the common ones. */
export const catParameters: readonly string[] = [
  ...['bytes', 'h', 'help', 'local', 'master_timeout', 's', 'time', 'v'],
];

interface Heading {
  /** As `h` names it. */
  readonly text: string;
  readonly column: CatColumn;
}

/**
 * A table as `_cat` answers it: text in columns, or JSON where `format` or `accept` ask for it (Elasticsearch 7.17,
 * `RestTable`). `h` chooses columns, `s` sorts, `v` adds the headings.
 */
export function catAnswer(
  request: GatewayRequest,
  columns: readonly CatColumn[],
  rows: readonly CatRow[],
): GatewayResponse {
  const { query } = request;
  if (query.has('help') && booleanParameter(query.get('help') ?? ''))
    throw unsupported('[help] of a _cat request');
  const headings = headingsOf(query.get('h'), columns);
  const sorted = inOrder(rows, listParameter(query.get('s') ?? ''), columns);
  if (isJsonAsked(request)) {
    const body = sorted.map((row) => objectOf(row, headings));
    return { kind: 'json', status: 200, body };
  }
  const lines = sorted.map((row) => headings.map(({ column }) => row[column.name] ?? ''));
  const isVerbose = booleanParameter(query.get('v') ?? 'false');
  const text = printed(isVerbose ? [headings.map((one) => one.text), ...lines] : lines, headings);
  return textAnswer(text, request);
}

function isJsonAsked({ query, headers }: GatewayRequest): boolean {
  const format = query.get('format');
  if (format === 'json') return true;
  if (format !== undefined && format !== 'text' && format !== 'txt')
    throw unsupported('[format] other than json and text');
  return format === undefined && /json/i.test(headers.get('accept') ?? '');
}

function headingsOf(asked: string | undefined, columns: readonly CatColumn[]): readonly Heading[] {
  if (asked === undefined || asked === '')
    return columns
      .filter(({ isExtra }) => !isExtra)
      .map((column) => ({ text: column.name, column }));
  return listParameter(asked).flatMap((text) => {
    if (isPattern(text)) {
      const test = namePattern(text);
      return columns
        .filter(({ name }) => test(name))
        .map((column) => ({ text: column.name, column }));
    }
    const column = columnOf(text, columns);
    return column ? [{ text, column }] : [];
  });
}

const columnOf = (name: string, columns: readonly CatColumn[]): CatColumn | undefined =>
  columns.find((column) => column.name === name || column.aliases?.includes(name));

const objectOf = (row: CatRow, headings: readonly Heading[]): JsonObject =>
  Object.fromEntries(headings.map(({ text, column }) => [text, row[column.name] ?? null]));

/** Every cell as wide as the widest of its column; the last one ends its line where it ends. */
function printed(lines: readonly (readonly string[])[], headings: readonly Heading[]): string {
  const widths = headings.map((_, i) => Math.max(0, ...lines.map((line) => line[i]?.length ?? 0)));
  return lines
    .map((line) =>
      line
        .map((cell, i) => {
          if (headings[i]?.column.align === 'right') return cell.padStart(widths[i] ?? 0);
          return i === line.length - 1 ? cell : cell.padEnd(widths[i] ?? 0);
        })
        .join(' '),
    )
    .map((line) => `${line}\n`)
    .join('');
}

function textAnswer(text: string, { headers }: GatewayRequest): GatewayResponse {
  const bytes = Buffer.from(text);
  const opaqueId = headers.get('x-opaque-id');
  return {
    kind: 'raw',
    status: 200,
    headers: {
      'content-type': 'text/plain; charset=UTF-8',
      'content-length': String(bytes.length),
      'x-elastic-product': 'Elasticsearch',
      ...(opaqueId !== undefined && { 'x-opaque-id': opaqueId }),
    },
    body: Readable.from([bytes]),
  };
}

/** `s`: names with `:asc` or `:desc`. Numbers and sizes by their value, other text by its letters. */
function inOrder(
  rows: readonly CatRow[],
  keys: readonly string[],
  columns: readonly CatColumn[],
): readonly CatRow[] {
  const orders = keys.map((key) => {
    const [, name = '', direction = 'asc'] = /^(.*?)(?::(asc|desc))?$/s.exec(key) ?? [];
    const column = columnOf(name, columns);
    if (column) return { name: column.name, sign: direction === 'desc' ? -1 : 1 };
    throw illegalArgument(`Unable to sort by unknown sort key \`${name}\``);
  });
  return [...rows].sort((a, b) => {
    for (const { name, sign } of orders) {
      const order = compared(a[name] ?? '', b[name] ?? '');
      if (order !== 0) return sign * order;
    }
    return 0;
  });
}

function compared(a: string, b: string): number {
  const [x, y] = [amountOf(a), amountOf(b)];
  if (x !== undefined && y !== undefined) return x - y;
  return a < b ? -1 : Number(a > b);
}

const units = 'bkmgtp';

/** The value of `42` and `12.8kb`; undefined for other text. */
function amountOf(text: string): number | undefined {
  const [, digits, unit] = /^(\d+(?:\.\d+)?)([kmgtp]?b)?$/.exec(text) ?? [];
  if (digits === undefined) return undefined;
  return Number(digits) * 1024 ** Math.max(0, units.indexOf((unit ?? 'b').charAt(0)));
}
