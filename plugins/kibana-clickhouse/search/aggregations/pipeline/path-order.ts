import type { NamedAggregation, PipelineNode } from '../definition';
import { parsePath } from './buckets-path';

/** A pipeline aggregation with what stands around it. */
export interface NamedPipeline extends NamedAggregation {
  readonly node: PipelineNode;
}

/** Tells pipelines from the aggregations that read documents. */
export const isPipeline = (named: NamedAggregation): named is NamedPipeline =>
  named.node.family === 'pipeline';

/**
 * The pipelines of a content, each after those that it reads; or what is wrong with their paths, as a text: the first
 * thing that is (Elasticsearch 7.17 `AggregatorFactories.Builder.resolvePipelineAggregatorOrder`).
 */
export function pipelineOrder(
  siblings: readonly NamedAggregation[],
): readonly NamedPipeline[] | string {
  const ordered: NamedPipeline[] = [];
  const begun = new Set<string>();
  const visit = (pipeline: NamedPipeline): string | undefined => {
    if (ordered.includes(pipeline)) return undefined;
    if (begun.has(pipeline.name))
      return `Cyclical dependency found with pipeline aggregator [${pipeline.name}]`;
    begun.add(pipeline.name);
    const problem = first(pipeline.node.paths, (path) => {
      if (path === '_count' || path === '_key') return undefined;
      const read = siblings.find(({ name }) => name === parsePath(path)[0]?.name);
      if (!read) return `No aggregation found for path [${path}]`;
      return isPipeline(read) ? visit(read) : stepsProblem(read, path);
    });
    ordered.push(pipeline);
    return problem;
  };
  return first(siblings.filter(isPipeline), visit) ?? ordered;
}

function first<T>(items: readonly T[], find: (item: T) => string | undefined): string | undefined {
  for (const item of items) {
    const found = find(item);
    if (found !== undefined) return found;
  }
  return undefined;
}

/** Whether the names behind the first lead from one aggregation to the next. */
function stepsProblem(start: NamedAggregation, path: string): string | undefined {
  const steps = parsePath(path).slice(1);
  let at = start;
  for (const [i, { name }] of steps.entries()) {
    const isLast = i === steps.length - 1;
    if (isLast && (name.toLowerCase() === '_key' || name === '_count')) return undefined;
    const next = at.subs.find((sub) => sub.name === name && (isLast || !isPipeline(sub)));
    if (!next) return `No aggregation [${name}] found for path [${path}]`;
    at = next;
  }
  return undefined;
}
