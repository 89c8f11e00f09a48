import type { TermTest } from '../queries/sought-term';
import { lowerCase } from '../queries/text/analyze';
import { foldAscii } from '../queries/text/string-values';
import { editDistance } from './edit-distance';

/** Tests that look at one term by itself, at a cost that grows with its length alone. */
export type SingleTermTest = Extract<TermTest, { readonly kind: 'equal' | 'near' | 'prefix' }>;

/** Which terms a test means. `ignoresCase`: of a text whose whole values are its terms (`textSearch: contains`). */
export function termMatcher(test: SingleTermTest, ignoresCase: boolean): (term: string) => boolean {
  const matches = matcher(ignoresCase ? { ...test, text: lowerCase(test.text) } : test);
  return ignoresCase ? (term) => matches(lowerCase(term)) : matches;
}

function matcher(test: SingleTermTest): (term: string) => boolean {
  switch (test.kind) {
    case 'equal':
      return folded(test, (term, text) => term === text);
    case 'prefix':
      return folded(test, (term, text) => term.startsWith(text));
    case 'near': {
      const { edits, prefixLength = 0, transpositions = true } = test.options;
      const letters = Array.from(test.text);
      const start = letters.slice(0, prefixLength).join('');
      return (term) =>
        term.startsWith(start) &&
        editDistance(Array.from(term), letters, { limit: edits, transpositions }) <= edits;
    }
  }
}

function folded(
  { text, folds }: { readonly text: string; readonly folds: boolean },
  compare: (term: string, text: string) => boolean,
): (term: string) => boolean {
  const wanted = folds ? foldAscii(text) : text;
  return (term) => compare(folds ? foldAscii(term) : term, wanted);
}
