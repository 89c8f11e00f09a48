import type { QueryContext } from '../definition';
import { wordsOf } from '../text/match-words';
import { searchesWords } from '../text/string-values';
import { type MatchTree, anyOfTrees, checkClauseCount } from './match-tree';
import { joined } from './resolve-text';
import type { SearchSettings } from './search-settings';
import { type Target, leafOf } from './targets';

const hasAnalyzedWords = (target: Target, context: QueryContext): boolean =>
  target.metadata === undefined &&
  target.field.type === 'text' &&
  searchesWords(target.field, context);

/**
 * `text*` in some fields. With `analyze_wildcard` a text field whose words are searched is asked for the words of `text`, of
 * which the last may only begin so (Elasticsearch 7.17 `getPossiblyAnalyzedPrefixQuery`); undefined where none has any.
 */
export function resolvePrefix(
  text: string,
  targets: readonly Target[],
  settings: Pick<
    SearchSettings,
    'context' | 'lenient' | 'operator' | 'analyzeWildcard' | 'countTest'
  >,
): MatchTree | undefined {
  const { analyzeWildcard, context } = settings;
  const whole = (target: Target): MatchTree => leafOf(target, { kind: 'prefix', text }, settings);
  const byWords = (target: Target): MatchTree | undefined => {
    const words = wordsOf(text, context);
    checkClauseCount(words.length);
    return joined(
      words.map((word, i) =>
        leafOf(target, { kind: i < words.length - 1 ? 'term' : 'prefix', text: word }, settings),
      ),
      settings,
    );
  };
  return anyOfTrees(
    targets.map((target) =>
      analyzeWildcard && hasAnalyzedWords(target, context) ? byWords(target) : whole(target),
    ),
  );
}
