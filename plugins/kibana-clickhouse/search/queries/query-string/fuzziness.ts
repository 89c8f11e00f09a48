import { type Fuzziness, editsOf, parseFuzziness } from '../fuzziness';
import type { FuzzyTest } from './field-test';

/** The options of fuzzy words: `fuzziness` for those with a bare `~`, and how words are compared. */
export interface FuzzyWords {
  readonly fuzziness: Fuzziness;
  readonly prefixLength: number;
  readonly transpositions: boolean;
}

/**
 * The test for a word followed by `~`: `distance` is what stands behind it, `''` for the option's own. Throws as
 * Elasticsearch 7.17 (`Fuzziness`) for a distance that is no number; one below 0 is found when a field is asked.
 */
export function fuzzyTest(text: string, distance: string, options: FuzzyWords): FuzzyTest {
  const { prefixLength, transpositions } = options;
  const fuzziness = distance === '' ? options.fuzziness : parseFuzziness(distance);
  const fixed = fuzziness.kind === 'fixed' ? Math.trunc(Number(fuzziness.text)) : 0;
  const edits = fixed < 0 ? fixed : editsOf(fuzziness, text);
  return { kind: 'fuzzy', text, edits, prefixLength, transpositions };
}
