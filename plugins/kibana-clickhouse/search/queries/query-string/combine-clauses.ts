import {
  type BooleanClause,
  type MatchTree,
  booleanTree,
  checkClauseCount,
  withoutPureNegation,
} from './match-tree';
import type { Clause, SyntaxNode } from './syntax-tree';

export type DefaultOperator = 'and' | 'or';

/** What an operand asks of the fields; undefined where no word of it is left to look for. */
export type ResolveOperand = (operand: SyntaxNode) => MatchTree | undefined;

/**
 * Joins clauses as Lucene's classic parser does (`QueryParserBase.addClause`): no Boolean algebra, but a scan from left to
 * right. AND makes both neighbours required; with the default operator AND, OR makes both optional; `-`, `!` and NOT
 * exclude what follows. Undefined where no clause is left. Throws QuerySyntaxError above 1,024 clauses.
 */
export function combineClauses(
  clauses: readonly Clause[],
  operator: DefaultOperator,
  resolve: ResolveOperand,
): MatchTree | undefined {
  const joined: BooleanClause[] = [];
  let first: MatchTree | undefined;
  for (const [i, clause] of clauses.entries()) {
    const query = resolve(clause.operand);
    changePreceding(joined, clause, operator);
    if (query !== undefined) joined.push(...added(clause, operator, query));
    checkClauseCount(joined.length);
    if (i === 0 && clause.modifier === 'none') first = query;
  }
  if (joined.length === 1 && first) return first;
  return joined.length === 0 ? undefined : withoutPureNegation(booleanTree(joined));
}

function changePreceding(
  joined: BooleanClause[],
  { conjunction }: Clause,
  operator: DefaultOperator,
): void {
  const last = joined.pop();
  if (last === undefined) return;
  const changed =
    conjunction === 'and'
      ? 'must'
      : conjunction === 'or' && operator === 'and'
        ? 'should'
        : last.occur;
  joined.push(last.occur === 'must_not' ? last : { ...last, occur: changed });
}

function added(
  { conjunction, modifier, operand }: Clause,
  operator: DefaultOperator,
  query: MatchTree,
): readonly BooleanClause[] {
  if (operand.kind === 'words' && operand.several) return ofWords(query, operator);
  if (modifier === 'prohibited') return [{ occur: 'must_not', query }];
  const required =
    operator === 'or' ? modifier === 'required' || conjunction === 'and' : conjunction !== 'or';
  return [{ occur: required ? 'must' : 'should', query }];
}

/** Words in a row are no group: the clauses of their query stand among the others. */
function ofWords(query: MatchTree, operator: DefaultOperator): readonly BooleanClause[] {
  const occur = operator === 'or' ? 'should' : 'must';
  if (query.kind !== 'boolean') return [{ occur, query }];
  const { clauses } = query;
  return clauses.every((clause) => clause.query.kind === 'leaf')
    ? clauses
    : clauses.map((clause) => ({ occur, query: clause.query }));
}
