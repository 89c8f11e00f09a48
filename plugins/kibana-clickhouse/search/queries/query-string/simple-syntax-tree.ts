/** One thing after the other of a simple_query_string. */
export type SimpleEvent =
  /** It joins what stands on both sides, unless there is nothing on its left or another one stands there already. */
  | { readonly kind: 'operator'; readonly operator: 'and' | 'or' }
  /** Takes the operator before it away. */
  | { readonly kind: 'reset' }
  | {
      readonly kind: 'operand';
      readonly negated: boolean;
      readonly operand:
        SimpleLeaf | { readonly kind: 'group'; readonly events: readonly SimpleEvent[] };
    };

export type SimpleLeaf =
  | { readonly kind: 'words' | 'prefix'; readonly text: string }
  | { readonly kind: 'phrase'; readonly text: string; readonly slop: number }
  /** 1 or 2 edits. */
  | { readonly kind: 'fuzzy'; readonly text: string; readonly edits: number };
