import { wordsOf } from '../text/match-words';
import { percentPattern } from '../text/percent-pattern';
import type { FieldTest } from './field-test';
import { type MatchTree, anyOfTrees, booleanTree, checkClauseCount } from './match-tree';
import type { SearchSettings } from './search-settings';
import { type Target, leafOf } from './targets';

/**
 * A text looked for in some fields as multi_match does it (Elasticsearch 7.17 MultiMatchQueryParser): in each field by
 * itself, for `cross_fields` each word in any of the text fields. Undefined where it has no words for any of them.
 */
export function resolveText(
  text: string,
  targets: readonly Target[],
  settings: SearchSettings,
): MatchTree | undefined {
  const { type } = settings;
  if (type === 'cross_fields') return acrossFields(text, targets, settings);
  return anyOfTrees(targets.map((target) => inTarget(text, target, settings)));
}

type SearchedType = 'text' | 'keyword' | 'other';

function typeOf(target: Target): SearchedType {
  const type = target.metadata ? 'other' : target.field.type;
  return type === 'text' || type === 'keyword' ? type : 'other';
}

const hasWords = (target: Target): boolean => typeOf(target) === 'text';

function inTarget(text: string, target: Target, settings: SearchSettings): MatchTree | undefined {
  if (!hasWords(target))
    return (
      likeLeaf(text, target, settings) ??
      leafOf(target, wholeTest(text, typeOf(target), settings), settings)
    );
  const { type, phraseSlop: slop } = settings;
  const words = wordsIn(text, target, settings);
  if (words.length === 0) return undefined;
  if (type === 'phrase' || type === 'phrase_prefix')
    return likeLeaf(text, target, settings) ?? leafOf(target, { kind: type, text, slop }, settings);
  checkClauseCount(words.length);
  return joined(
    words.map(
      (word, i) =>
        likeLeaf(word, target, settings) ??
        leafOf(target, wordTest(word, i === words.length - 1, settings), settings),
    ),
    settings,
  );
}

/** A text with `%` as the pattern that it is in CKibana's spelling; undefined for others. */
function likeLeaf(text: string, target: Target, settings: SearchSettings): MatchTree | undefined {
  const { ckibanaSyntax, context } = settings;
  if (!ckibanaSyntax || target.metadata) return undefined;
  const like = percentPattern(target.field, text, context.table);
  return (
    like &&
    leafOf({ ...target, field: like.field }, { kind: 'wildcard', text: like.pattern }, settings)
  );
}

/** The words of a text; white space ends those with a `%` for any characters. */
function wordsIn(
  text: string,
  target: Target,
  { ckibanaSyntax, context }: SearchSettings,
): readonly string[] {
  if (target.metadata) return [];
  const like = ckibanaSyntax ? percentPattern(target.field, text, context.table) : undefined;
  return wordsOf(text, context, like?.field ?? target.field);
}

/** A field that is no text compares the whole, and has an error of its own for what asks for more. */
function wholeTest(
  text: string,
  searched: SearchedType,
  { type, phraseSlop: slop }: SearchSettings,
): FieldTest {
  if (type === 'phrase_prefix') return { kind: type, text, slop };
  return { kind: type === 'bool_prefix' && searched === 'keyword' ? 'term_prefix' : 'term', text };
}

const wordTest = (text: string, isLast: boolean, { type }: SearchSettings): FieldTest => ({
  kind: type === 'bool_prefix' && isLast ? 'term_prefix' : 'term',
  text,
});

/** One word's query, or those of several joined by the operator. */
export function joined(
  queries: readonly MatchTree[],
  { operator }: Pick<SearchSettings, 'operator'>,
): MatchTree | undefined {
  const occur = operator === 'and' ? 'must' : 'should';
  return queries.length > 1 ? booleanTree(queries.map((query) => ({ occur, query }))) : queries[0];
}

/** Text fields have the same analyzer: together they are one field. */
function acrossFields(
  text: string,
  targets: readonly Target[],
  settings: SearchSettings,
): MatchTree | undefined {
  const textTargets = targets.filter(hasWords);
  const others = targets.filter((target) => !hasWords(target));
  const words = textTargets.length > 0 ? wordsOf(text, settings.context) : [];
  checkClauseCount(words.length);
  const inTexts = joined(
    words.map((word) => ({
      kind: 'any',
      queries: textTargets.map((target) => leafOf(target, { kind: 'term', text: word }, settings)),
    })),
    settings,
  );
  const together =
    textTargets.length > 1
      ? [inTexts]
      : textTargets.map((target) => inTarget(text, target, settings));
  return anyOfTrees([...together, ...others.map((target) => inTarget(text, target, settings))]);
}
