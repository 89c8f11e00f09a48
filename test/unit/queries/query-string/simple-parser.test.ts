import {
  parseSimpleFlags,
  simpleFlags,
} from '../../../../plugins/kibana-clickhouse/search/queries/query-string/simple-flags';
import { parseSimpleQuery } from '../../../../plugins/kibana-clickhouse/search/queries/query-string/simple-parser';
import type { SimpleEvent } from '../../../../plugins/kibana-clickhouse/search/queries/query-string/simple-syntax-tree';

/** Events in one line: operators as words, `0` for a reset, groups in parentheses. */
const print = (events: readonly SimpleEvent[]): string =>
  events
    .map((event) => {
      if (event.kind === 'reset') return '0';
      if (event.kind === 'operator') return event.operator;
      const { operand, negated } = event;
      const sign = negated ? '-' : '';
      if (operand.kind === 'group') return `${sign}(${print(operand.events)})`;
      const end =
        operand.kind === 'fuzzy'
          ? `~${String(operand.edits)}`
          : operand.kind === 'phrase' && operand.slop > 0
            ? `~${String(operand.slop)}`
            : '';
      return `${sign}${operand.kind}<${operand.text}>${end}`;
    })
    .join(' ');

const printed = (text: string, flags: number = simpleFlags.ALL): string =>
  print(parseSimpleQuery(text, flags));

describe('the syntax of simple_query_string', () => {
  it.each([
    ['a b', 'words<a> words<b>'],
    ['a + b|c', 'words<a> and words<b> or words<c>'],
    ['-a --b - c', '-words<a> words<b> words<c>'],
    ['"a b" "c', 'phrase<a b> words<c>'],
    ['"a b"~2 "a"~ "a"~x', 'phrase<a b>~2 phrase<a>~2 phrase<a>'],
    ['"a b"~', 'phrase<a b>'],
    ['"" ()', '0 0'],
    ['(a (b | c)) d)', '(words<a> (words<b> or words<c>)) words<d>'],
    ['(a', 'words<a>'],
    ['-(a)', '-(words<a>)'],
    ['a* * a*b \\a\\*', 'prefix<a> words<*> words<a*b> words<a*>'],
    ['a~ a~1 a~9 a~x a~0', 'fuzzy<a>~2 fuzzy<a>~1 fuzzy<a>~2 words<a> words<a>'],
    ['a\\ b\\', 'words<a b>'],
    ['a"b"c', 'words<a> phrase<b> words<c>'],
    ['', ''],
  ])('reads %s', (text, events) => {
    expect(printed(text)).toBe(events);
  });

  it.each([
    ['NONE', 'a | "b" -c*', 'words<a | "b" -c*>'],
    ['OR|WHITESPACE', 'a|b +c', 'words<a> or words<b> words<+c>'],
    ['PHRASE', '"a b" c', 'phrase<a b> words< c>'],
    ['', 'a b', 'words<a> words<b>'],
  ])('with the flags %s', (flags, text, events) => {
    expect(printed(text, parseSimpleFlags(flags))).toBe(events);
  });

  it('takes flags as a number, and no unknown name', () => {
    expect(printed('a b+c', parseSimpleFlags(128))).toBe('words<a> words<b+c>');
    expect(() => parseSimpleFlags('FOO')).toThrow('Unknown simple_query_string flag [FOO]');
  });

  it.each([
    ['open parentheses', '('.repeat(1_000_000)],
    ['quotes', '"'.repeat(1_000_000)],
    ['backslashes', '\\'.repeat(1_000_000)],
    ['signs', '+-|'.repeat(300_000)],
    ['distances', 'a~'.repeat(500_000)],
    ['phrases', '"a"~'.repeat(250_000)],
  ])('reads very many %s', (_, text) => {
    expect(() => printed(text)).not.toThrow();
  });

  it('refuses very many parentheses within each other', () => {
    expect(() => printed(`${'('.repeat(10_000)}a${')'.repeat(10_000)}`)).toThrow(
      '[kibana-clickhouse] unsupported: more than 400 parentheses open in a simple_query_string',
    );
  });
});
