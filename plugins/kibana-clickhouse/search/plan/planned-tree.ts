import { alwaysTrue, and, filtered } from '../../clickhouse/sql/build';
import type { Expr } from '../../clickhouse/sql/nodes';
import {
  aggregationExecution,
  shardIllegalArgument,
  unsupported,
} from '../../common/errors/catalogue';
import type {
  AggregationContext,
  BucketNode,
  FixedNode,
  GlobalNode,
  HitsNode,
  Level,
  MetricNode,
  NamedAggregation,
} from '../aggregations/definition';
import { documentCount, metricColumns } from '../sampling/scaled-columns';
import type { Scope } from './aggregation-plan';
import { checkHits } from './check-hits';
import { checkRates } from './check-rates';
import { fixedLevel } from './fixed-level';
import { planOrder, type PlannedOrder } from './planned-order';

/** A metric with the columns it asks for. */
export interface PlannedMetric {
  readonly kind: 'metric';
  readonly named: NamedAggregation;
  readonly node: MetricNode;
  readonly columns: readonly Expr[];
}

/** Hits of each bucket: read by a statement of their own. */
export interface PlannedHits {
  readonly kind: 'hits';
  readonly named: NamedAggregation;
  readonly node: HitsNode;
  /** Whether they score 1.0. */
  readonly scoring: boolean;
}

/** A bucket aggregation; without a level it has no buckets, nor has anything below it. */
export interface PlannedBucket {
  readonly kind: 'bucket';
  readonly named: NamedAggregation;
  readonly node: BucketNode;
  readonly level: PlannedLevel | undefined;
  readonly order: readonly PlannedOrder[];
  readonly content: PlannedContent;
  /** What its level was made for. */
  readonly context: AggregationContext;
}

/**
 * An aggregation of fixed buckets. What it counts and measures are columns of the buckets it stands in, each with the
 * bucket's condition; only the bucket aggregations below it need a level.
 */
export interface PlannedFixed {
  readonly kind: 'fixed';
  readonly named: NamedAggregation;
  readonly node: FixedNode;
  readonly buckets: readonly {
    /** The documents of the bucket. */
    readonly docs: Expr;
    readonly content: PlannedContent;
  }[];
  /** Absent where no bucket aggregation is below. */
  readonly level: PlannedLevel | undefined;
  /** The buckets as a level, for hits below; absent where there are none. */
  readonly asLevel: PlannedLevel | undefined;
}

/** Fixed buckets that are read by statements of their own, each of its rows. */
export interface PlannedScopes {
  readonly kind: 'scopes';
  readonly named: NamedAggregation;
  readonly node: FixedNode | GlobalNode;
  readonly parts: readonly PlannedScope[];
}

/** A content with the rows it is of. */
export interface PlannedScope {
  readonly scope: Scope;
  readonly content: PlannedContent;
}

export type PlannedMember =
  PlannedMetric | PlannedBucket | PlannedFixed | PlannedHits | PlannedScopes;

/** The aggregations side by side at the root or in a bucket. */
export interface PlannedContent {
  /** In the request's order. */
  readonly members: readonly PlannedMember[];
}

/** A step of a chain: buckets told apart by a key, and what is in each of them. */
export interface PlannedLevel {
  readonly level: Level;
  readonly order: readonly PlannedOrder[];
  /** What the statement's groups of this level stand for. */
  readonly content: PlannedContent;
  /** Aggregates of the level's groups. */
  readonly columns: readonly Expr[];
}

/** The levels that a content opens, below fixed buckets as well. */
export const levelsOf = (content: PlannedContent): readonly PlannedLevel[] =>
  content.members.flatMap((member) =>
    (member.kind === 'bucket' || member.kind === 'fixed') && member.level ? [member.level] : [],
  );

/** The level that a member's buckets are, whatever is below them. */
export const levelBelow = (member: PlannedMember): PlannedLevel | undefined => {
  if (member.kind === 'bucket') return member.level;
  return member.kind === 'fixed' ? member.asLevel : undefined;
};

/** The aggregates that a content is written from, those of its fixed buckets as well. */
export const columnsOf = (content: PlannedContent): readonly Expr[] =>
  content.members.flatMap((member) => {
    if (member.kind === 'metric') return member.columns;
    if (member.kind !== 'fixed') return [];
    return member.buckets.flatMap(({ docs, content: below }) => [docs, ...columnsOf(below)]);
  });

/** The contents with rows of their own, at any depth. */
export const scopesOf = (content: PlannedContent): readonly PlannedScope[] =>
  content.members.flatMap((member) =>
    member.kind === 'scopes'
      ? member.parts.flatMap((part) => [part, ...scopesOf(part.content)])
      : [],
  );

/** Asks every aggregation of a request what it needs of the table. Throws their errors. */
export function planRoot(
  aggregations: readonly NamedAggregation[],
  scope: Scope,
  context: AggregationContext,
): PlannedContent {
  checkRates(aggregations);
  return { members: evaluated(aggregations).map((named) => planTop(named, scope, context)) };
}

/** Aggregations at the top below which what else must stand there may be (Elasticsearch 8 `CompositeAggregationBuilder`). */
const holdingAll: readonly string[] = ['filter', 'nested', 'random_sampler'];

/** Fixed buckets of one aggregation that are read apart from each other; more share one statement. */
const mostParts = 8;

/**
 * At the top, fixed buckets with bucket aggregations below read their own rows: the condition then prunes what is read, no
 * row is read for several of them at once, and levels below are first levels. `global` always does.
 */
function planTop(
  named: NamedAggregation,
  scope: Scope,
  context: AggregationContext,
): PlannedMember {
  const { node, subs } = named;
  if (node.family === 'global') {
    checkGlobal(named);
    checkPlaces(named);
    const all: AggregationContext = { ...context, span: (field) => ({ field }), scoring: true };
    const { sample } = context;
    const everything: Scope = { where: alwaysTrue, ...(sample !== undefined && { sample }) };
    const part = { scope: everything, content: planRoot(subs, everything, all) };
    return { kind: 'scopes', named, node, parts: [part] };
  }
  if (node.family === 'bucket')
    return planBucket(named, node, context, holdingAll.includes(node.type));
  if (node.family !== 'fixed' || !hasBuckets(subs)) return planMember(named, context);
  const conditions = node.conditions(context);
  const isApart = conditions.length > 1 && node.disjoint?.(context) === true;
  if (conditions.length > mostParts || isApart) return planMember(named, context);
  checkGlobal(named);
  if (!holdingAll.includes(node.type)) checkPlaces(named);
  const parts = conditions.map((condition): PlannedScope => {
    const own: Scope = { ...scope, where: and([scope.where, condition]) };
    return { scope: own, content: planRoot(subs, own, context) };
  });
  return { kind: 'scopes', named, node, parts };
}

const hasBuckets = (subs: readonly NamedAggregation[]): boolean =>
  subs.some(
    ({ node, subs: below }) =>
      node.family === 'bucket' ||
      node.family === 'hits' ||
      (node.family === 'fixed' && hasBuckets(below)),
  );

/** The aggregations that ClickHouse has a part in. */
const evaluated = (aggregations: readonly NamedAggregation[]): readonly NamedAggregation[] =>
  aggregations.filter(({ node }) => node.family !== 'pipeline');

function planContent(
  aggregations: readonly NamedAggregation[],
  context: AggregationContext,
): PlannedContent {
  return { members: evaluated(aggregations).map((named) => planMember(named, context)) };
}

/** Throws where `global` is below another aggregation. */
function checkGlobal({ name, subs }: NamedAggregation): void {
  const all = subs.find(({ node }) => node.family === 'global');
  if (all)
    throw aggregationExecution(
      `Aggregation [${name}] cannot have a global sub-aggregation [${all.name}]. Global aggregations can only be defined as top level aggregations`,
    );
}

/** Throws where an aggregation that stands alone is below one of several buckets. */
function checkPlaces({ node, subs }: NamedAggregation): void {
  const misplaced = subs.find(({ node: sub }) => sub.family === 'bucket' && sub.topOnly === true);
  if (misplaced)
    throw shardIllegalArgument(
      `[${misplaced.node.type}] aggregation cannot be used with a parent aggregation of type: [${factoryName(node.type)}]`,
    );
}

/** `date_histogram`: Elasticsearch's `DateHistogramAggregatorFactory`. */
const factoryName = (type: string): string =>
  `${type
    .split('_')
    .map((word) => word.charAt(0).toUpperCase() + word.slice(1))
    .join('')}AggregatorFactory`;

/** Throws where a sampler has nothing to sample for (Elasticsearch 7.17 `SamplerAggregator`, which answers 500). */
function checkSampler({ node, subs }: NamedAggregation): void {
  if (node.type === 'sampler' && subs.length === 0)
    throw aggregationExecution('Sampler aggregation must be used with child aggregations.');
}

function planMember(named: NamedAggregation, context: AggregationContext): PlannedMember {
  const { node } = named;
  checkSampler(named);
  switch (node.family) {
    case 'metric':
      return { kind: 'metric', named, node, columns: metricColumns(node, context) };
    case 'fixed':
      return planFixed(named, node, context);
    case 'hits':
      if (context.nestings !== undefined)
        throw unsupported(`aggregation [${node.type}] below [nested]`);
      checkHits(named, node, context);
      return { kind: 'hits', named, node, scoring: context.scoring ?? false };
    case 'bucket':
      return planBucket(named, node, context);
    case 'pipeline':
      throw new TypeError('pipelines are no part of a statement');
    case 'global':
      throw new TypeError('global stands at the top alone');
  }
}

function planBucket(
  named: NamedAggregation,
  node: BucketNode,
  context: AggregationContext,
  /** Whether what stands alone may be below (composite). */
  holdsAll = false,
): PlannedBucket {
  const level = node.level(context);
  if (level?.background && context.nesting)
    throw unsupported(`aggregation [${node.type}] below [nested]`);
  const order = (level?.order ?? []).map((item) => planOrder(item, named.subs, context));
  checkGlobal(named);
  if (!holdsAll) checkPlaces(named);
  const content = planContent(named.subs, level?.inside ?? context);
  return {
    kind: 'bucket',
    named,
    node,
    order,
    content,
    context,
    level: level && { level, order, content, columns: columnsOf(content) },
  };
}

function planFixed(
  named: NamedAggregation,
  node: FixedNode,
  context: AggregationContext,
): PlannedFixed {
  checkGlobal(named);
  checkPlaces(named);
  const content = planContent(named.subs, context);
  const conditions = node.conditions(context);
  const isOpen = levelsOf(content).length > 0;
  const asLevel =
    conditions.length === 0
      ? undefined
      : {
          level: fixedLevel(conditions, node.disjoint?.(context) ?? false),
          order: [],
          content,
          columns: [],
        };
  return {
    kind: 'fixed',
    named,
    node,
    buckets: conditions.map((condition) => ({
      docs: filtered(documentCount(context.sample), condition),
      content: within(content, condition),
    })),
    asLevel,
    level: isOpen ? asLevel : undefined,
  };
}

/** A content with its columns taken over the rows of a condition only. */
const within = (content: PlannedContent, condition: Expr): PlannedContent => ({
  members: content.members.map((member): PlannedMember => {
    if (member.kind === 'metric')
      return { ...member, columns: member.columns.map((expr) => filtered(expr, condition)) };
    if (member.kind !== 'fixed') return member;
    const buckets = member.buckets.map(({ docs, content: below }) => ({
      docs: filtered(docs, condition),
      content: within(below, condition),
    }));
    return { ...member, buckets };
  }),
});
