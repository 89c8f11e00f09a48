import { unsupported } from '../../../common/errors/catalogue';
import { isString } from '../text/string-values';
import { type BooleanClause, type MatchTree, anyOfTrees, booleanTree } from './match-tree';
import { resolvePrefix } from './resolve-prefix';
import { resolveText } from './resolve-text';
import type { SearchSettings } from './search-settings';
import type { SimpleEvent, SimpleLeaf } from './simple-syntax-tree';
import { type Target, leafOf, targetsOf } from './targets';

/** How often operators may alternate: each time what was before becomes one part of what comes. */
const maximumDepth = 400;

interface Joined {
  readonly tree: MatchTree;
  /** The clauses of `tree` where it was made by joining. */
  readonly clauses: readonly BooleanClause[];
  readonly operator: 'and' | 'or' | undefined;
  readonly depth: number;
}

/**
 * What a simple_query_string asks of a table's fields (Lucene 8 SimpleQueryParser, Elasticsearch 7.17
 * SimpleQueryStringQueryParser). Operators have no precedence: they join what is on their left with what is on their
 * right. Undefined where no word is left to look for. Throws Elasticsearch's errors for values that do not fit.
 */
export function resolveSimple(
  events: readonly SimpleEvent[],
  settings: SearchSettings,
): MatchTree | undefined {
  let joined: Joined | undefined;
  let operator: 'and' | 'or' | undefined;
  for (const event of events) {
    if (event.kind === 'reset') operator = undefined;
    else if (event.kind === 'operator') {
      if (joined) operator ??= event.operator;
    } else {
      const branch = resolveOperand(event, settings);
      if (branch === undefined) continue;
      joined = join(joined, branch, operator ?? settings.operator);
      operator = undefined;
    }
  }
  return joined?.tree;
}

function join(left: Joined | undefined, branch: MatchTree, operator: 'and' | 'or'): Joined {
  if (left === undefined) return { tree: branch, clauses: [], operator: undefined, depth: 0 };
  const occur = operator === 'and' ? 'must' : 'should';
  const continues = left.operator === operator;
  const depth = continues ? left.depth : left.depth + 1;
  if (depth > maximumDepth)
    throw unsupported(
      `more than ${String(maximumDepth)} changes of operator in a simple_query_string`,
    );
  const before = continues ? left.clauses : [{ occur, query: left.tree } as const];
  const clauses = [...before, { occur, query: branch } as const];
  return { tree: booleanTree(clauses), clauses, operator, depth };
}

type OperandEvent = Extract<SimpleEvent, { readonly kind: 'operand' }>;

function resolveOperand(
  { operand, negated }: OperandEvent,
  settings: SearchSettings,
): MatchTree | undefined {
  const tree =
    operand.kind === 'group'
      ? resolveSimple(operand.events, settings)
      : resolveLeaf(operand, settings);
  if (tree === undefined || !negated) return tree;
  return booleanTree([
    { occur: 'must_not', query: tree },
    { occur: 'should', query: { kind: 'all' } },
  ]);
}

function resolveLeaf(leaf: SimpleLeaf, settings: SearchSettings): MatchTree | undefined {
  const { context, fields, quoteFieldSuffix, fuzzyWords } = settings;
  const targets = targetsOf(context.table, fields, leaf.kind === 'phrase' ? quoteFieldSuffix : '');
  switch (leaf.kind) {
    case 'words':
      return resolveText(leaf.text, targets, settings);
    case 'phrase':
      return resolveText(leaf.text, targets, {
        ...settings,
        type: 'phrase',
        phraseSlop: leaf.slop,
      });
    case 'prefix':
      return prefixTree(leaf.text, targets, settings);
    case 'fuzzy': {
      const { prefixLength, transpositions } = fuzzyWords;
      const test = { ...leaf, prefixLength, transpositions };
      return anyOfTrees(targets.map((target) => leafOf(target, test, settings)));
    }
  }
}

/** An analyzed prefix is looked for in the terms of any field, without an error where those are numbers. */
function prefixTree(text: string, targets: readonly Target[], settings: SearchSettings): MatchTree {
  const trees = targets.map((target) =>
    settings.analyzeWildcard && !hasStrings(target)
      ? none
      : resolvePrefix(text, [target], settings),
  );
  return anyOfTrees(trees) ?? none;
}

const none: MatchTree = { kind: 'none' };

const hasStrings = (target: Target): boolean =>
  target.metadata !== undefined || isString(target.field);
