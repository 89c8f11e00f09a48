import type { QueryContext } from '../definition';
import { leniently } from '../text/lenient';
import { testCondition } from './field-test';
import type { MatchTree } from './match-tree';

/** Tells `seek` what the leaves of a tree look for, but for those that must not match. */
export function seekLeaves(tree: MatchTree, context: QueryContext): void {
  switch (tree.kind) {
    case 'boolean':
      for (const { occur, query } of tree.clauses)
        if (occur !== 'must_not') seekLeaves(query, context);
      return;
    case 'any':
      for (const query of tree.queries) seekLeaves(query, context);
      return;
    case 'boosted':
      seekLeaves(tree.query, context);
      return;
    case 'leaf': {
      const { test } = tree;
      const field = context.table.field(tree.field);
      // what does not fit the field has been refused where the tree was made, or is to be forgiven
      if (test.kind !== 'exists' && field)
        leniently(true, () => testCondition(field, test, context));
      return;
    }
    default:
  }
}
