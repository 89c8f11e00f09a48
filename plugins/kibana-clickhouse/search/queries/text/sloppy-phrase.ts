import type { Field } from '../../../clickhouse/catalog/table';
import {
  alwaysFalse,
  and,
  array,
  binary,
  call,
  column,
  eq,
  integer,
  lambda,
  or,
  param,
} from '../../../clickhouse/sql/build';
import type { Expr } from '../../../clickhouse/sql/nodes';
import { unsupported } from '../../../common/errors/catalogue';
import type { QueryContext } from '../definition';
import { anyValue } from '../queried-field';
import { isUnpaired, words } from './string-values';
import { mayHave } from './text-term';

/** Each word is looked for around each of the others. */
const maximumWords = 8;

/** What Elasticsearch leaves between two values of a field (`position_increment_gap`). */
const gapOfValues = 100;

/**
 * True where words of one value are `tokens`, moved by `slop` places together at most: the difference between how far the
 * first and the last of them stand from their places in the phrase (Lucene 8.11 SloppyPhraseMatcher). Refused: a word that
 * stands twice in the phrase, more than eight of them, and a slop that reaches from one value into the next.
 */
export function hasWordsNear(
  field: Field,
  tokens: readonly string[],
  slop: number,
  { seek }: QueryContext,
): Expr {
  if (new Set(tokens).size < tokens.length || tokens.length > maximumWords)
    throw unsupported(
      `[slop] of a phrase of more than ${String(maximumWords)} words, or with a word twice`,
    );
  if (field.multiValued && slop >= gapOfValues)
    throw unsupported(`[slop] of ${String(gapOfValues)} and more on field [${field.name}]`);
  for (const word of tokens)
    seek?.({ field: field.name, test: { kind: 'run', words: [word], lastIsPrefix: false } });
  if (tokens.some(isUnpaired)) return alwaysFalse;
  return anyValue(field, (value) =>
    and([
      ...mayHave(value, tokens),
      // the words of the value once, under a name
      call('arrayExists', lambda('w', anyWindow(tokens, slop)), array([words(value)])),
    ]),
  );
}

const valueWords = column('w');
const places = call('arrayEnumerate', valueWords);

/** Where a word stands in the value, counted from 1. */
const placesOf = (word: string, name: string): Expr =>
  call(
    'arrayFilter',
    lambda(name, eq(call('arrayElement', valueWords, column(name)), param(word, 'String'))),
    places,
  );

/** One of the words is the one that stands furthest to the left of its place; all others are within the slop from there. */
const anyWindow = (tokens: readonly string[], slop: number): Expr =>
  or(
    tokens.map((first, from) =>
      call('arrayExists', lambda('m', windowAt(tokens, from, slop)), placesOf(first, 'f')),
    ),
  );

const windowAt = (tokens: readonly string[], from: number, slop: number): Expr =>
  and(
    tokens.flatMap((word, at) =>
      at === from
        ? []
        : [call('arrayExists', lambda('p', isWithin(at - from, slop)), placesOf(word, 'q'))],
    ),
  );

/** `p` is `shift` places behind `m`, or up to `slop` more. */
function isWithin(shift: number, slop: number): Expr {
  const distance = binary('-', call('toInt64', column('p')), call('toInt64', column('m')));
  return and([
    binary('>=', distance, integer(shift)),
    binary('<=', distance, integer(shift + slop)),
  ]);
}
