import { parseQueryText } from '../../../../plugins/kibana-clickhouse/search/queries/query-string/parser';
import { QuerySyntaxError } from '../../../../plugins/kibana-clickhouse/search/queries/query-string/syntax-error';
import type {
  Clause,
  RangeOf,
  SyntaxNode,
} from '../../../../plugins/kibana-clickhouse/search/queries/query-string/syntax-tree';

const signs = { required: '+', prohibited: '-', none: '' } as const;

const inParentheses = (node: SyntaxNode): string =>
  node.kind === 'clauses' ? `(${print(node)})` : print(node);

const printClause = ({ conjunction, modifier, operand }: Clause): string =>
  `${conjunction === 'none' ? '' : `${conjunction} `}${signs[modifier]}${inParentheses(operand)}`;

const printRange = ({ from = '*', to = '*', includeFrom, includeTo }: RangeOf): string =>
  `${includeFrom ? '[' : '{'}${from}..${to}${includeTo ? ']' : '}'}`;

/** What stands behind a word's sign `~`. */
function suffix(node: SyntaxNode): string {
  if (node.kind === 'fuzzy') return node.distance;
  return node.kind === 'phrase' && node.slop !== undefined ? `~${String(node.slop)}` : '';
}

/** A syntax tree in one line: conjunctions as words, modifiers as signs, groups in parentheses. */
function print(node: SyntaxNode): string {
  if (node.kind === 'clauses') return node.clauses.map(printClause).join(' ');
  if (node.kind === 'boosted') return `${inParentheses(node.operand)}^${String(node.boost)}`;
  const field = node.field ?? '';
  if (node.kind === 'range') return `${field}:${printRange(node)}`;
  return `${field}:${node.kind}<${node.text}>${suffix(node)}`;
}

const printed = (text: string): string => print(parseQueryText(text));

function errorOf(text: string): QuerySyntaxError {
  try {
    parseQueryText(text);
  } catch (error) {
    if (error instanceof QuerySyntaxError) return error;
    throw error;
  }
  throw new Error(`${text} was parsed`);
}

describe('the syntax of query_string', () => {
  it.each([
    ['a', ':words<a>'],
    ['a b c', ':words<a b c>'],
    ['a b AND c', ':words<a> :words<b> and :words<c>'],
    ['a b c:d', ':words<a b> c:words<d>'],
    ['a b~1', ':words<a> :fuzzy<b>1'],
    ['a b^2', ':words<a> :words<b>^2'],
    ['a "b" c', ':words<a> :phrase<b> :words<c>'],
    ['a && b || !c', ':words<a> and :words<b> or -:words<c>'],
    ['a&&b c||d', ':words<a&&b c||d>'],
    ['+a -b NOT c', '+:words<a> -:words<b> -:words<c>'],
    ['a - b', ':words<a> :words<-> :words<b>'],
    ['a and b', ':words<a and b>'],
    ['f:(a OR g:b)^2.5', '(f:words<a> or g:words<b>)^2.5'],
    ['f: a', 'f:words<a>'],
    ['f\\*:a', 'f*:words<a>'],
    ['*:* *', '*:wildcard<*> :wildcard<*>'],
    ['a* a?b *a \\*a* a\\*', ':prefix<a> :wildcard<a?b> :wildcard<*a> :prefix<*a> :words<a*>'],
    ['/a b\\/c/', ':regexp<a b\\/c>'],
    ['a~ a~2 a~x', ':fuzzy<a> :fuzzy<a>2 :fuzzy<a>x'],
    ['a~1^2 a^2~1', ':fuzzy<a>1^2 :fuzzy<a>1^2'],
    ['"a b"~3 "a"~ "a\\"b"', ':phrase<a b>~3 :phrase<a> :phrase<a"b>'],
    ['f:[1 TO 5} {* TO "b c"]', 'f:[1..5} :{*..b c]'],
    ['["a\\"" TO \\*]', ':[a"..*]'],
    ['[TO TO TO]', ':[TO..TO]'],
    ['\\u0041\\:\\\\', ':words<A:\\>'],
    ['\u3000a\tb\n', ':words<a b>'],
    ['AND* ANDY', ':prefix<AND> :words<ANDY>'],
  ])('reads %s', (text, tree) => {
    expect(printed(text)).toBe(tree);
  });

  it.each([
    ['a AND', 'Encountered "<EOF>" at line 1, column 5.'],
    ['(a', 'Encountered "<EOF>" at line 1, column 2.'],
    ['a)', 'Encountered " ")" ") "" at line 1, column 1.'],
    ['a OR OR b', 'Encountered " <OR> "OR "" at line 1, column 5.'],
    ['a^', 'Encountered "<EOF>" at line 1, column 2.\nWas expecting:\n    <NUMBER> ...\n    '],
    ['[a b]', 'Encountered " <RANGE_GOOP> "b "" at line 1, column 3.'],
    ['a]', 'Lexical error at line 1, column 3.  Encountered: <EOF> after : ""'],
    ['a] b', 'Lexical error at line 1, column 2.  Encountered: "]" (93), after : ""'],
    ['a^é 1', 'Lexical error at line 1, column 3.  Encountered: "\\u00e9" (233), after : ""'],
    ['"a\nb', 'Lexical error at line 1, column 5.  Encountered: <EOF> after : "\\"a\\nb"'],
    ['a\\', 'Lexical error at line 1, column 3.  Encountered: <EOF> after : ""'],
    ['\\u00zz', 'Non-hex character in Unicode escape sequence: z'],
    ['"\\u00"', 'Truncated unicode escape sequence.'],
  ])('refuses %s in the words of Lucene', (text, message) => {
    expect(errorOf(text).message).toContain(message);
  });

  it('names what could have stood in the place of a wrong sign', () => {
    expect(errorOf('+').message).toBe(
      'Encountered "<EOF>" at line 1, column 1.\nWas expecting one of:\n    <BAREOPER> ...\n    "(" ...\n    "*" ...\n    <QUOTED> ...\n    <TERM> ...\n    <PREFIXTERM> ...\n    <WILDTERM> ...\n    <REGEXPTERM> ...\n    "[" ...\n    "{" ...\n    <NUMBER> ...\n    <TERM> ...\n    "*" ...\n    ',
    );
  });

  it.each([
    ['parentheses', '('.repeat(1_000_000)],
    ['closed parentheses', `${'('.repeat(10_000)}a${')'.repeat(10_000)}`],
    ['quotes', '"'.repeat(999_999)],
    ['an open quote', `"${'a'.repeat(1_000_000)}`],
    ['backslashes', '\\'.repeat(999_999)],
    ['open regular expressions', `/${'\\'.repeat(1_000_000)}`],
    ['open ranges', `[${'"\\'.repeat(500_000)}`],
    ['operators', '-'.repeat(1_000_000)],
  ])('finds the error in very many %s', (_, text) => {
    expect(errorOf(text).message).not.toBe('');
  });

  it('reads a million letters, stars and words', () => {
    expect(printed('a'.repeat(1_000_000))).toHaveLength(1_000_008);
    expect(printed('*'.repeat(1_000_000))).toMatch(/^:wildcard</);
    expect(printed('a '.repeat(500_000))).toMatch(/^:words<a a/);
  });
});
