import { parseQueryText } from './parser';
import { QuerySyntaxError } from './syntax-error';
import type { SyntaxNode } from './syntax-tree';

/**
 * Whether what a query finds scores: not where all of it only excludes, because then nothing but a filter matches (Elasticsearch
 * 7.17 `Queries.fixNegativeQueryIfNeeded`). Of a text that is no query, true.
 */
export function isScored(text: string): boolean {
  try {
    return scores(parseQueryText(text));
  } catch (error) {
    if (error instanceof QuerySyntaxError) return true;
    throw error;
  }
}

function scores(node: SyntaxNode): boolean {
  if (node.kind === 'boosted') return scores(node.operand);
  if (node.kind !== 'clauses') return true;
  return node.clauses.some(({ modifier, operand }) => modifier !== 'prohibited' && scores(operand));
}
