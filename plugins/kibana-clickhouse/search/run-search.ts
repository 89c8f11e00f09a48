import type {
  ExecutionContext,
  Executor,
  ResultSet,
  ResultStream,
  SearchIdentity,
} from '../clickhouse/execution/executor';
import type { Table } from '../clickhouse/catalog/table';
import { tableStructure } from '../clickhouse/catalog/table-structure';
import { compileSelect, fingerprint } from '../clickhouse/sql/compile';
import type { SelectNode } from '../clickhouse/sql/nodes';
import type { JsonObject } from '../common/json/json';
import { observedExecutor } from './cached-statements';
import { type HitsPlan, planHits, requireSortable } from './hits/plan-hits';
import { type Counted, planTotal, readTotal } from './hits/plan-total';
import { type Hits, noHits, readHits } from './hits/read-hits';
import type { AggregationPlan, Scope } from './plan/aggregation-plan';
import { planAggregations } from './plan/plan-aggregations';
import { type SplitCondition, splitCondition } from './queries/split-time-range';
import { checkWindow } from './request/result-window';
import type { SearchRequest } from './request/search-request';
import type { SearchResponse } from './response/search-response';
import { checkLimits, type SearchLimits } from './search-limits';
import { decideSampling, type SamplingSettings } from './sampling/decide-sampling';
import type { TimeRounding } from './time-rounding';

/** What a search is planned for. */
export interface PlanContext {
  readonly table: Table;
  /** Epoch ms at which the request arrived: `now` of its date math, the same for all searches of a request. */
  readonly now: number;
  /** How text fields are searched; default `contains`. */
  readonly textSearch?: 'contains' | 'tokens';
  /** How the time range is rounded; absent: not at all. */
  readonly rounding?: TimeRounding;
  /** What the search may ask for; absent: anything. */
  readonly limits?: SearchLimits;
  /** The name that hits carry; default: the table's. */
  readonly indexName?: string;
  /** Major version of Elasticsearch whose answers the client expects; default 8. */
  readonly version?: number;
}

/** What a search needs to run. */
export interface SearchContext extends PlanContext {
  readonly executor: Executor;
  readonly execution: ExecutionContext;
  /** How the index is sampled; absent: not at all. */
  readonly sampling?: SamplingSettings;
  /** Epoch ms at which this search began: the start of `took`; default `now`. */
  readonly startedAt?: number;
}

/** Everything a search asks of ClickHouse; nothing has run yet. */
export interface SearchPlan {
  /** Absent where no hits are asked for. */
  readonly hits?: HitsPlan;
  readonly aggregations?: AggregationPlan;
  /** The statement that counts; absent where the aggregations count or nothing asks for it. */
  readonly total?: SelectNode;
  /** The rows that match. */
  readonly scope: Scope;
  /** The aggregations, estimated from that part of the rows. */
  readonly sampled: (rate: number) => AggregationPlan;
  readonly identity: SearchIdentity;
}

/** Translates a search for a table. Throws an `ElasticsearchError` for what does not fit its fields. */
export function planSearch(request: SearchRequest, context: PlanContext): SearchPlan {
  const { table } = context;
  const condition = splitCondition(request.query, context);
  const { where, timeRange } = condition;
  const scope: Scope = { where, ...(timeRange && { timeRange }) };
  const page = { ...request, size: hitLimit(request) };
  if (page.size === 0) requireSortable(request, table);
  const hits = page.size > 0 ? planHits(page, table, scope) : undefined;
  const planned = (rows: Scope): AggregationPlan =>
    planAggregations(request.aggregations, rows, {
      ...context,
      span: (field) => condition.span(field),
      scoring: request.query.scoring,
    });
  const aggregations = request.aggregations.length === 0 ? undefined : planned(scope);
  // as in Elasticsearch, after all that the request says about fields
  checkWindow(request);
  const { timeSpan } = condition;
  checkLimits({ request, table, timeSpan, now: context.now }, context.limits ?? {});
  const total = aggregations ? undefined : planTotal(request, table, scope);
  return {
    ...(hits && { hits }),
    ...(aggregations && { aggregations }),
    ...(total && { total }),
    scope,
    sampled: (rate) => planned({ ...scope, sample: rate }),
    identity: identityOf(condition, context),
  };
}

/** A time range without an end ends now: Kibana's own always have both. */
function identityOf(
  { where, timeSpan }: SplitCondition,
  { table, now }: PlanContext,
): SearchIdentity {
  const { database, name } = table;
  const from = { kind: 'table', database, table: name } as const;
  return {
    table: `${database}.${name}`,
    fingerprint: fingerprint({ from, where }),
    ...(timeSpan?.from !== undefined && {
      rangeMs: Math.max(0, (timeSpan.to ?? now) - timeSpan.from),
    }),
    // rows come by the table's own time field: the past of another one may still grow
    ...(timeSpan?.to !== undefined && timeSpan.field === table.timeField && { endMs: timeSpan.to }),
    structure: tableStructure(table),
  };
}

/** A search that stops early has no hits beyond the documents it has seen. */
function hitLimit({ size, from, terminateAfter, aggregations }: SearchRequest): number {
  if (terminateAfter === undefined || aggregations.length > 0) return size;
  return Math.max(0, Math.min(size, terminateAfter - from));
}

/** The statements of a plan in the order hits, total, aggregations: for showing them. */
export const statementsOf = ({ hits, total, aggregations }: SearchPlan): readonly SelectNode[] => [
  ...(hits ? [hits.statement] : []),
  ...(total ? [total] : []),
  ...(aggregations?.statements ?? []),
  ...(aggregations?.hits ?? []),
];

/**
 * Answers a search: translates it, runs its statements in parallel and puts the answer together. When
 * it resolves, ClickHouse has accepted every statement; only the hits are still to be read, once. If
 * one statement fails, the others are stopped, and its `ElasticsearchError` is thrown.
 */
export async function runSearch(
  request: SearchRequest,
  context: SearchContext,
): Promise<SearchResponse> {
  const plan = planSearch(request, context);
  const failure = new AbortController();
  const signal = AbortSignal.any([context.execution.signal, failure.signal]);
  const execution = { ...context.execution, signal, search: plan.identity };
  const observed = observedExecutor(context.executor);
  const running = { ...context, executor: observed.executor, execution };
  const reading = hitsOf(plan, request, running);
  try {
    const [hits, counted] = await Promise.all([reading, countOf(plan, request, running)]);
    const answered = respond(request, context, plan, { hits, ...counted });
    return { ...answered, cache: observed.allCached() };
  } catch (error) {
    failure.abort();
    // the hits may have come before another statement failed
    await reading.then((hits) => hits.close()).catch(() => undefined);
    throw error;
  }
}

function hitsOf(
  { hits }: SearchPlan,
  request: SearchRequest,
  context: SearchContext,
): Promise<Hits> {
  if (hits === undefined) return Promise.resolve(noHits);
  const { version, seqNoPrimaryTerm } = request;
  const index = context.indexName ?? context.table.name;
  const shape = { index, typed: (context.version ?? 8) < 8, version, seqNoPrimaryTerm };
  return readHits(hits, shape, context.executor, context.execution);
}

interface CountedSearch extends Counted {
  readonly aggregations?: JsonObject;
  /** Part of the rows that the aggregations read. */
  readonly sampling: number;
}

/** The aggregations and the total, by whichever statements give them. */
async function countOf(
  plan: SearchPlan,
  request: SearchRequest,
  { executor, execution, table, sampling }: SearchContext,
): Promise<CountedSearch> {
  const run = (select: SelectNode): Promise<ResultSet> =>
    executor.rows(compileSelect(select), execution);
  const readLines = (select: SelectNode): Promise<readonly string[]> =>
    linesOf(executor.lines(compileSelect(select), execution));
  const { aggregations, total, scope } = plan;
  if (aggregations) {
    const subject = { aggregations: request.aggregations, table, scope, sampling };
    const sample = await decideSampling(subject, run);
    const planned = sample ? plan.sampled(sample.rate) : aggregations;
    const [results, lines] = await Promise.all([
      Promise.all(planned.statements.map(run)),
      Promise.all(planned.hits.map(readLines)),
    ]);
    const answer = planned.assemble(results, lines);
    return {
      ...readTotal(request, sample?.matching ?? answer.total, 'aggregations'),
      aggregations: answer.aggregations,
      sampling: sample?.rate ?? 1,
    };
  }
  const { rows } = total === undefined ? { rows: [] } : await run(total);
  return { ...readTotal(request, Number(rows[0]?.[0] ?? 0), 'statement'), sampling: 1 };
}

async function linesOf(result: Promise<ResultStream>): Promise<readonly string[]> {
  const batches: (readonly string[])[] = [];
  for await (const batch of (await result).lines) batches.push(batch);
  return batches.flat();
}

function respond(
  { totalAsInteger }: SearchRequest,
  { now, startedAt = now }: SearchContext,
  plan: SearchPlan,
  { hits, any, ...counted }: CountedSearch & { readonly hits: Hits },
): Omit<SearchResponse, 'cache'> {
  return {
    tookMs: Math.max(0, Date.now() - startedAt),
    ...counted,
    totalAsInteger,
    // a page behind the last hit has it, too
    maxScore: plan.hits && (hits.any || any) ? plan.hits.scores.max : 'null',
    hits: hits.batches,
  };
}
