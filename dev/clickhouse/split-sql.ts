/** One statement of a script and where it begins. */
export interface SqlStatement {
  /** Text without the closing semicolon, comments kept. */
  readonly text: string;
  /** Line of its first word, from 1. */
  readonly line: number;
}

/** What a semicolon does not end: comments, strings, quoted names and heredocs of ClickHouse's lexer. */
const quiet: readonly RegExp[] = [
  /--[^\n]*/y,
  /#[ !][^\n]*/y,
  /\/\*[^]*?\*\//y,
  /'(?:[^'\\]|\\[^]|'')*'/y,
  /"(?:[^"\\]|\\[^]|"")*"/y,
  /`(?:[^`\\]|\\[^]|``)*`/y,
  /\$(\w*)\$[^]*?\$\1\$/y,
];
const comments = quiet.slice(0, 3);

/** `INSERT … FORMAT Name` with inline data: the data ends at a semicolon that ends its line. */
const insertFormat = /FORMAT\s+(?!Values\b)\w+(?=\s)/iy;
const endOfData = /;[ \t]*(?:\r?\n|$)/g;

/**
 * Splits a script into its statements, as clickhouse-client does with `--multiquery`: semicolons in
 * strings, quoted names, heredocs and comments do not count; pieces without a word are left out.
 */
export function splitSql(script: string): readonly SqlStatement[] {
  const statements: SqlStatement[] = [];
  let start = 0;
  let position = 0;
  while (position < script.length) {
    if (script[position] === ';') {
      push(statements, script, start, position);
      start = position + 1;
    }
    position = next(script, start, position);
  }
  push(statements, script, start, script.length);
  return statements;
}

const matchEnd = (pattern: RegExp, text: string, at: number): number | undefined => {
  pattern.lastIndex = at;
  return pattern.test(text) ? pattern.lastIndex : undefined;
};

function next(script: string, start: number, position: number): number {
  for (const pattern of quiet) {
    const end = matchEnd(pattern, script, position);
    if (end !== undefined) return end;
  }
  return endOfInlineData(script, start, position) ?? position + 1;
}

function endOfInlineData(script: string, start: number, position: number): number | undefined {
  const before = script[position - 1] ?? ' ';
  if (/\w/.test(before) || matchEnd(insertFormat, script, position) === undefined) return undefined;
  const begin = firstWord(script, start, position);
  if (begin === undefined || !/^INSERT\b/i.test(script.slice(begin, begin + 7))) return undefined;
  endOfData.lastIndex = position;
  return endOfData.exec(script)?.index ?? script.length;
}

/** Where the first thing that is neither white space nor a comment stands. */
function firstWord(script: string, from: number, to: number): number | undefined {
  let position = from;
  while (position < to) {
    const at = position;
    const comment = comments
      .map((pattern) => matchEnd(pattern, script, at))
      .find((end) => end !== undefined);
    if (comment !== undefined) position = comment;
    else if (/\s/.test(script[position] ?? '')) position += 1;
    else return position;
  }
  return undefined;
}

function push(statements: SqlStatement[], script: string, start: number, end: number): void {
  const first = firstWord(script, start, end);
  if (first === undefined) return;
  const line = script.slice(0, first).split('\n').length;
  statements.push({ text: script.slice(start, end).trim(), line });
}
