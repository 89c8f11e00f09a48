import {
  alwaysFalse,
  alwaysTrue,
  and,
  isAlwaysFalse,
  isAlwaysTrue,
  not,
  or,
} from '../../../clickhouse/sql/build';
import type { Expr } from '../../../clickhouse/sql/nodes';
import { unsupported } from '../../../common/errors/catalogue';
import { atLeast } from '../at-least';
import { minimumShouldMatch } from '../minimum-should-match';
import type { FieldTest } from './field-test';
import { QuerySyntaxError } from './syntax-error';

/**
 * What a query asks of the fields that there are: Lucene's query as a tree. Its shape is that of Elasticsearch's
 * `_validate/query?explain=true`.
 */
export type MatchTree =
  | BooleanTree
  /** Any of them matches (Lucene's DisjunctionMaxQuery). */
  | { readonly kind: 'any'; readonly queries: readonly MatchTree[] }
  | { readonly kind: 'boosted'; readonly query: MatchTree; readonly boost: number }
  | Leaf
  | { readonly kind: 'all' }
  | { readonly kind: 'none' };

/** One test of one field, and the rows that pass it. `exists`: the field is there. */
export interface Leaf {
  readonly kind: 'leaf';
  readonly field: string;
  readonly test: FieldTest | { readonly kind: 'exists' };
  readonly condition: Expr;
}

export type Occur = 'must' | 'should' | 'must_not' | 'filter';

export interface BooleanClause {
  readonly occur: Occur;
  readonly query: MatchTree;
}

export interface BooleanTree {
  readonly kind: 'boolean';
  readonly clauses: readonly BooleanClause[];
  /** How many `should` clauses must match; 0: none, or one where there is nothing else that must. */
  readonly minimum: number;
}

/** `indices.query.bool.max_clause_count` of Elasticsearch 7.17. */
const maximumClauses = 1024;

/** Clauses joined as they are. Throws QuerySyntaxError for more than 1,024 of them. */
export function booleanTree(clauses: readonly BooleanClause[]): BooleanTree {
  checkClauseCount(clauses.length);
  return { kind: 'boolean', clauses, minimum: 0 };
}

/** Throws QuerySyntaxError for more than 1,024 clauses: asked before these are made, because there may be millions. */
export function checkClauseCount(count: number): void {
  if (count > maximumClauses)
    throw new QuerySyntaxError('too many boolean clauses', {
      type: 'too_many_clauses',
      reason: `maxClauseCount is set to ${String(maximumClauses)}`,
    });
}

/** Any of the trees that are there: `none` of no fields, undefined where no field has a word to look for. */
export function anyOfTrees(trees: readonly (MatchTree | undefined)[]): MatchTree | undefined {
  if (trees.length === 0) return { kind: 'none' };
  const queries = trees.filter((tree) => tree !== undefined);
  return queries.length > 1 ? { kind: 'any', queries } : queries[0];
}

/** What only excludes excludes from all documents (Elasticsearch's `fixNegativeQueryIfNeeded`). */
export function withoutPureNegation(tree: MatchTree): MatchTree {
  if (tree.kind !== 'boolean' || tree.clauses.length === 0) return tree;
  if (tree.clauses.some(({ occur }) => occur !== 'must_not')) return tree;
  return { ...tree, clauses: [...tree.clauses, { occur: 'filter', query: { kind: 'all' } }] };
}

/** `minimum_should_match` counts the optional clauses of a boolean query, and says nothing of any other. */
export function withMinimum(tree: MatchTree, specification: string | undefined): MatchTree {
  if (specification === undefined) return tree;
  if (tree.kind === 'boosted') return { ...tree, query: withMinimum(tree.query, specification) };
  if (tree.kind !== 'boolean') return tree;
  const optional = tree.clauses.filter(({ occur }) => occur === 'should').length;
  return { ...tree, minimum: Math.max(0, minimumShouldMatch(specification, optional)) };
}

/** ClickHouse reads conditions within conditions to about this depth, what a search has around a query included. */
const maximumDepth = 100;

/** All texts of a tree together, in UTF-16 units: a word is written once for each field. */
const maximumText = 4_000_000;

/** Tests of fields: ClickHouse takes a statement of 50,000 elements (`max_ast_elements`), of which each is about ten. */
const maximumTests = 4000;

/**
 * True for the rows that match, false or NULL for all others. Refuses trees that ClickHouse could not read: more than 100
 * levels of alternatives and conjunctions, more than 4,000 tests of fields, more than 4,000,000 characters in these.
 */
export function treeCondition(tree: MatchTree): Expr {
  const leaves = leavesOf(tree).filter(({ condition }) => !isConstant(condition));
  if (leaves.length > maximumTests)
    throw unsupported(`a query with more than ${String(maximumTests)} words and fields to search`);
  const lengths = leaves.map(({ test }) => ('text' in test ? test.text.length : 0));
  if (lengths.reduce((all, one) => all + one, 0) > maximumText)
    throw unsupported(`a query with more than ${String(maximumText)} characters over all fields`);
  return conditionOf(tree, 0);
}

const isConstant = (condition: Expr): boolean =>
  isAlwaysTrue(condition) || isAlwaysFalse(condition);

function leavesOf(tree: MatchTree): readonly Leaf[] {
  switch (tree.kind) {
    case 'boolean':
      return tree.clauses.flatMap(({ query }) => leavesOf(query));
    case 'any':
      return tree.queries.flatMap(leavesOf);
    case 'boosted':
      return leavesOf(tree.query);
    case 'leaf':
      return [tree];
    default:
      return [];
  }
}

function conditionOf(tree: MatchTree, depth: number): Expr {
  if (depth > maximumDepth)
    throw unsupported(`a query nested deeper than ${String(maximumDepth)} levels`);
  switch (tree.kind) {
    case 'all':
      return alwaysTrue;
    case 'none':
      return alwaysFalse;
    case 'leaf':
      return tree.condition;
    case 'boosted':
      return conditionOf(tree.query, depth);
    case 'any':
      return or(tree.queries.map((query) => conditionOf(query, depth + 1)));
    case 'boolean':
      return booleanCondition(tree, depth + 1);
  }
}

function booleanCondition({ clauses, minimum }: BooleanTree, depth: number): Expr {
  const conditions = (...occurs: readonly Occur[]): readonly Expr[] =>
    clauses
      .filter(({ occur }) => occurs.includes(occur))
      .map(({ query }) => conditionOf(query, depth));
  const required = conditions('must', 'filter');
  const needed = Math.max(minimum, required.length === 0 ? 1 : 0);
  return and([
    ...required,
    atLeast(needed, conditions('should')),
    ...conditions('must_not').map(not),
  ]);
}
