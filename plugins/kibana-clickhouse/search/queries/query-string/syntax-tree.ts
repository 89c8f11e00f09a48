/**
 * What a query says, before it is known which fields there are: the tree of Lucene's classic syntax. A `field` is the one
 * named in the query, escapes taken away; undefined where the default fields are meant.
 */
export type SyntaxNode = Clauses | Words | Phrase | Pattern | Fuzzy | RangeOf | Boosted;

/** Clauses in a row: a whole query or what stands between parentheses. */
export interface Clauses {
  readonly kind: 'clauses';
  readonly clauses: readonly Clause[];
  /** The field before the parentheses: `field:(…)`; absent where there is none. */
  readonly field?: string;
}

/** One clause with what stands before it: AND or OR, then `+`, or one of `-`, `!`, NOT. */
export interface Clause {
  readonly conjunction: 'none' | 'and' | 'or';
  readonly modifier: 'none' | 'required' | 'prohibited';
  readonly operand: SyntaxNode;
}

/** A word, or several that stand beside each other without an operator: they are one text. */
export interface Words {
  readonly kind: 'words';
  readonly field: string | undefined;
  readonly text: string;
  /** Whether there are several: Lucene then puts the clauses of their query in place of it. */
  readonly several: boolean;
}

export interface Phrase {
  readonly kind: 'phrase';
  readonly field: string | undefined;
  readonly text: string;
  /** The number after `~` without its fraction; undefined where there is none. */
  readonly slop: number | undefined;
}

/** `prefix` without its `*` and its escapes; `wildcard` and `regexp` as they were written. */
export interface Pattern {
  readonly kind: 'prefix' | 'wildcard' | 'regexp';
  readonly field: string | undefined;
  readonly text: string;
}

export interface Fuzzy {
  readonly kind: 'fuzzy';
  readonly field: string | undefined;
  readonly text: string;
  /** What stands after `~`; `''` where nothing does. */
  readonly distance: string;
}

/** Bounds are undefined where `*` leaves them open. */
export interface RangeOf {
  readonly kind: 'range';
  readonly field: string | undefined;
  readonly from: string | undefined;
  readonly to: string | undefined;
  readonly includeFrom: boolean;
  readonly includeTo: boolean;
}

export interface Boosted {
  readonly kind: 'boosted';
  readonly operand: SyntaxNode;
  readonly boost: number;
}
