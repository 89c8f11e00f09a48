import { maxBuckets } from '../aggregations/bucket-limit';
import type { AggregationContext, NamedAggregation } from '../aggregations/definition';
import { allKeysOf, readKeys } from './all-keys';
import type { AggregationPlan, Scope } from './aggregation-plan';
import { checkBucketCount, TreeAssembly } from './assemble-tree';
import { planBucketHits } from './bucket-hits';
import { type Chain, type ChainedTree, chainTree } from './chain';
import { readChain } from './chain-result';
import { chainStatement, limited, type MinuteStatement, rowsOf } from './chain-statement';
import { hitsInPlace } from './hits-in-place';
import { validatePipelines, withPipelines } from './pipelines';
import { type PlannedContent, planRoot } from './planned-tree';

/** Answers a chain from the rows of each minute; undefined where that is not possible. `root`: what the request asks for. */
export type OfMinutes = (
  chain: Chain,
  root: PlannedContent,
  context: AggregationContext,
) => MinuteStatement | undefined;

export interface PlannedAggregations extends AggregationPlan {
  /** The one of the statements that counts minutes; absent where none does. */
  readonly minutes?: MinuteStatement;
}

/**
 * Turns a tree of aggregations into statements, one for each way from the root to a leaf (see
 * docs/adr/0005-aggregation-plan.md). There is always one, because the total comes from it. Throws
 * the errors of fields and orders that do not fit. `ofMinutes` is asked for each chain; the first that it answers is not read
 * from the rows.
 */
export function planAggregations(
  aggregations: readonly NamedAggregation[],
  scope: Scope,
  around: AggregationContext,
  ofMinutes?: OfMinutes,
): PlannedAggregations {
  const { sample } = scope;
  const context = { ...around, ...(sample !== undefined && { sample }) };
  validatePipelines(aggregations, context);
  const root = planRoot(aggregations, scope, context);
  const tree = chainTree(root, scope);
  const most = maxBuckets(context);
  const counted = firstCounted(tree, (chain) => {
    const minutes = ofMinutes?.(chain, root, context);
    return minutes && { ...minutes, select: limited(minutes.select, rowsOf(most)) };
  });
  const statements = tree.chains.map((chain, i) =>
    i === counted?.index ? counted.minutes : chainStatement(chain, context.table, most),
  );
  const hits = hitsInPlace(root, scope).map((place) => ({
    member: place.member,
    plan: planBucketHits(place, context),
  }));
  const keys = allKeysOf(root);
  return {
    statements: [...statements, ...keys].map(({ select }) => select),
    hits: hits.map(({ plan }) => plan.select),
    ...(counted && { minutes: counted.minutes }),
    assemble: (results, lines) => {
      const read = tree.chains.map((chain, i) => {
        const statement = statements[i];
        const result = results[i];
        if (!statement || !result) throw new TypeError('a result for every statement');
        return readChain(chain, statement.columns, result, most);
      });
      const pages = hits.map(({ member, plan }, i) => [member, plan.read(lines[i] ?? [])] as const);
      const allKeys = keys.map(({ member }, i) => {
        const result = results[statements.length + i];
        if (!result) throw new TypeError('a result for every statement');
        return [member, readKeys(result)] as const;
      });
      const found = { tree, results: read, hits: new Map(pages), allKeys: new Map(allKeys) };
      const assembly = new TreeAssembly(found, context);
      const answer = withPipelines(aggregations, assembly.root(root), context);
      checkBucketCount(root, answer, most);
      return { aggregations: answer, total: assembly.total(root) };
    },
  };
}

/** The first chain that counts of minutes answer. */
function firstCounted(
  { chains }: ChainedTree,
  ofMinutes: (chain: Chain) => MinuteStatement | undefined,
): { readonly index: number; readonly minutes: MinuteStatement } | undefined {
  for (const [index, chain] of chains.entries()) {
    const minutes = ofMinutes(chain);
    if (minutes) return { index, minutes };
  }
  return undefined;
}
