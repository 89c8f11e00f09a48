import type { PlanAggregations } from './aggregation-plan';
import { checkBucketCount, TreeAssembly } from './assemble-tree';
import { planBucketHits } from './bucket-hits';
import { chainTree } from './chain';
import { readChain } from './chain-result';
import { chainStatement } from './chain-statement';
import { hitsInPlace } from './hits-in-place';
import { validatePipelines, withPipelines } from './pipelines';
import { planRoot } from './planned-tree';

/**
 * Turns a tree of aggregations into statements, one for each way from the root to a leaf (see
 * docs/adr/0005-aggregation-plan.md). There is always one, because the total comes from it. Throws
 * the errors of fields and orders that do not fit.
 */
export const planAggregations: PlanAggregations = (aggregations, scope, around) => {
  const { sample } = scope;
  const context = { ...around, ...(sample !== undefined && { sample }) };
  validatePipelines(aggregations, context);
  const root = planRoot(aggregations, scope, context);
  const tree = chainTree(root, scope);
  const statements = tree.chains.map((chain) => chainStatement(chain, context.table));
  const hits = hitsInPlace(root, scope).map((place) => ({
    member: place.member,
    plan: planBucketHits(place, context),
  }));
  return {
    statements: statements.map(({ select }) => select),
    hits: hits.map(({ plan }) => plan.select),
    assemble: (results, lines) => {
      const read = tree.chains.map((chain, i) => {
        const statement = statements[i];
        const result = results[i];
        if (!statement || !result) throw new TypeError('a result for every statement');
        return readChain(chain, statement.columns, result);
      });
      const pages = hits.map(({ member, plan }, i) => [member, plan.read(lines[i] ?? [])] as const);
      const assembly = new TreeAssembly({ tree, results: read, hits: new Map(pages) }, context);
      const answer = withPipelines(aggregations, assembly.root(root), context);
      checkBucketCount(root, answer);
      return { aggregations: answer, total: assembly.total(root) };
    },
  };
};
