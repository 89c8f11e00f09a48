import type { Field } from '../../../clickhouse/catalog/table';
import {
  alwaysFalse,
  and,
  array,
  binary,
  call,
  column,
  integer,
  lambda,
  param,
} from '../../../clickhouse/sql/build';
import type { Expr } from '../../../clickhouse/sql/nodes';
import { unsupported } from '../../../common/errors/catalogue';
import type { QueryContext } from '../definition';
import { anyValue } from '../queried-field';
import { isUnpaired, words } from './string-values';
import { mayHave } from './text-term';

/** Each is one more condition for each place in a text. */
const maximumWords = 64;

/** What Elasticsearch leaves between two values of a field (`position_increment_gap`). */
const gapOfValues = 100;

/** No text has so many words. */
const largestSlop = 10_000_000;

/**
 * True where words of one value are `tokens`, moved by `slop` places together at most: the difference between how far the
 * first and the last of them stand from their places in the phrase (Lucene 8.11 SloppyPhraseMatcher). A word that stands
 * twice in the phrase stands in two places of the value. Refused: more than 64 words, and a slop that reaches from one value
 * into the next.
 */
export function hasWordsNear(
  field: Field,
  tokens: readonly string[],
  slop: number,
  { seek }: QueryContext,
): Expr {
  if (tokens.length > maximumWords)
    throw unsupported(`[slop] of a phrase of more than ${String(maximumWords)} words`);
  if (field.multiValued && slop >= gapOfValues)
    throw unsupported(`[slop] of ${String(gapOfValues)} and more on field [${field.name}]`);
  for (const word of tokens)
    seek?.({ field: field.name, test: { kind: 'run', words: [word], lastIsPrefix: false } });
  if (tokens.some(isUnpaired)) return alwaysFalse;
  return anyValue(field, (value) =>
    and([
      ...mayHave(value, tokens),
      // the words of the value once, under a name
      call('arrayExists', lambda('w', anyPlace(tokens, slop)), array([paddedWords(value, tokens)])),
    ]),
  );
}

/** The words of a value behind so many empty ones that the phrase may begin before the first of them. */
const paddedWords = (value: Expr, tokens: readonly string[]): Expr =>
  call('arrayConcat', array(tokens.slice(1).map(() => param('', 'String'))), words(value));

const valueWords = column('w');
const firstPlace = column('s');

/** There is a place from which each word of the phrase is found at its place there, or up to `slop` places behind it. */
const anyPlace = (tokens: readonly string[], slop: number): Expr =>
  call(
    'arrayExists',
    lambda('s', and(wordsFrom(tokens, Math.min(slop, largestSlop)))),
    call('arrayEnumerate', valueWords),
  );

/**
 * One condition for each word, and one for each run of places in which the same word is wanted more than once: it must be
 * there as often (Hall's condition; places that do not overlap need none of their own).
 */
function wordsFrom(tokens: readonly string[], slop: number): readonly Expr[] {
  return [...new Set(tokens)].flatMap((word) => {
    const offsets = tokens.flatMap((token, at) => (token === word ? [at] : []));
    return offsets.flatMap((from, i) =>
      offsets
        .slice(i)
        .map((to, more) => ({ from, to, times: more + 1 }))
        .filter(({ to, times }) => to - from <= (slop + 1) * (times - 1))
        .map(({ to, times }) => isThere(word, { from, to: to + slop, times })),
    );
  });
}

interface Stretch {
  readonly from: number;
  readonly to: number;
  readonly times: number;
}

function isThere(word: string, { from, to, times }: Stretch): Expr {
  const start = binary('+', firstPlace, integer(from));
  const stretch = call('arraySlice', valueWords, start, integer(to - from + 1));
  const wanted = param(word, 'String');
  return times === 1
    ? call('has', stretch, wanted)
    : binary('>=', call('countEqual', stretch, wanted), integer(times));
}
