/** What a query looks for among the terms of a text or keyword field: what `highlight` marks there. */
export interface SoughtTerm {
  readonly field: string;
  readonly test: TermTest;
}

/**
 * Terms are a keyword's whole values; of a text the words in lower case (`textSearch: tokens`) or the whole value, whatever the
 * case (`contains`).
 */
export type TermTest =
  | { readonly kind: 'equal' | 'prefix'; readonly text: string; readonly folds: boolean }
  /** A pattern of `*` and `?`, or a regular expression of RE2, for the whole term. */
  | { readonly kind: 'regexp' | 'wildcard'; readonly text: string; readonly folds: boolean }
  /** Within a few letters; as many at the start must be equal, and neighbours that changed places may count as one. */
  | {
      readonly kind: 'near';
      readonly text: string;
      readonly options: {
        readonly edits: number;
        readonly prefixLength?: number;
        readonly transpositions?: boolean;
      };
    }
  /** Words right after each other; the last one may only begin so. */
  | { readonly kind: 'run'; readonly words: readonly string[]; readonly lastIsPrefix: boolean }
  /** A substring of a text, whatever the case (`textSearch: contains`). */
  | { readonly kind: 'part'; readonly text: string };
