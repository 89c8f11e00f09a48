import type {
  ExecutionContext,
  Executor,
  ResultSet,
  ResultStream,
  SearchIdentity,
} from '../clickhouse/execution/executor';
import type { Table } from '../clickhouse/catalog/table';
import { tableStructure } from '../clickhouse/catalog/table-structure';
import { cacheKey, compileSelect, fingerprint } from '../clickhouse/sql/compile';
import { and } from '../clickhouse/sql/build';
import type { SelectNode } from '../clickhouse/sql/nodes';
import type { JsonObject } from '../common/json/json';
import { observedExecutor } from './cached-statements';
import { readMinutes } from './discover/minute-counts';
import { type DiscoverPlan, ofMinutes, planDiscover } from './discover/plan-discover';
import { readTrimmed } from './discover/read-trimmed';
import { timeSorted } from './discover/time-sorted';
import { highlightedFields } from './highlight/highlighted-fields';
import { type HitsPlan, planHits, requireSortable } from './hits/plan-hits';
import { type Counted, planTotal, readTotal } from './hits/plan-total';
import { type Hits, noHits, readHits } from './hits/read-hits';
import type { AggregationPlan, Scope } from './plan/aggregation-plan';
import { planAggregations, type PlannedAggregations } from './plan/plan-aggregations';
import { type SplitCondition, splitCondition } from './queries/split-time-range';
import { checkWindow } from './request/result-window';
import type { SearchRequest } from './request/search-request';
import type { SearchResponse } from './response/search-response';
import { withRuntimeFields } from './runtime-fields/runtime-table';
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
  /** `off`: hits are always read from their whole time range, whatever that costs. Answers are the same. */
  readonly trim?: 'off';
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
  /** How the hits are read from less of the time range; absent where they are read at once. */
  readonly discover?: DiscoverPlan;
  readonly aggregations?: PlannedAggregations;
  /** Absent where the aggregations count the same rows or nothing asks for it. */
  readonly total?: TotalPlan;
  /** The rows that match. */
  readonly scope: Scope;
  /** The aggregations, estimated from that part of the rows. */
  readonly sampled: (rate: number) => AggregationPlan;
  readonly identity: SearchIdentity;
}

/** The statement that counts; its first row has the number. */
interface TotalPlan {
  readonly statement: SelectNode;
  /** Position of the number. */
  readonly column: number;
}

/** Translates a search for a table. Throws an `ElasticsearchError` for what does not fit its fields. */
export function planSearch(request: SearchRequest, given: PlanContext): SearchPlan {
  const table = withRuntimeFields(given.table, request.runtimeFields);
  const context = { ...given, table };
  const condition = splitCondition(request.query, context);
  const { where, timeRange } = condition;
  const scope: Scope = { where, ...(timeRange && { timeRange }) };
  const highlighted = highlightedFields(request.highlight, request.query, context);
  const page = { ...request, size: hitLimit(request), highlighted };
  if (page.size === 0) requireSortable(request, table);
  const shown = postFiltered(request, scope, context);
  const hits = page.size > 0 ? planHits(page, table, shown) : undefined;
  const sorted = timeSorted(page, context, condition);
  const planned = (rows: Scope): PlannedAggregations =>
    planAggregations(
      request.aggregations,
      rows,
      {
        ...context,
        ...(context.limits?.maxBuckets !== undefined && { maxBuckets: context.limits.maxBuckets }),
        span: (field) => condition.span(field),
        scoring: request.query.scoring,
        hitFields: request.fields,
        query: request.query,
        totalAsInteger: request.totalAsInteger,
      },
      sorted && ofMinutes(sorted, table, scope),
    );
  const aggregations = request.aggregations.length === 0 ? undefined : planned(scope);
  // as in Elasticsearch, after all that the request says about fields
  checkWindow(request);
  const { timeSpan } = condition;
  checkLimits({ request, table, timeSpan, now: context.now }, context.limits ?? {});
  const discover = planDiscover(sorted, {
    ...{ request, table, scope, hits, aggregations, now: context.now },
    planHits: (rows) => planHits(page, table, rows),
  });
  const total = totalOf(request, table, { shown, discover, aggregations });
  return {
    ...(hits && { hits }),
    ...(discover && { discover }),
    ...(aggregations && { aggregations }),
    ...(total && { total }),
    scope,
    sampled: (rate) => planned({ ...scope, sample: rate }),
    identity: identityOf(condition, context),
  };
}

/** The rows that hits and their total show. */
function postFiltered({ postFilter }: SearchRequest, scope: Scope, context: PlanContext): Scope {
  if (!postFilter) return scope;
  return { ...scope, where: and([scope.where, postFilter.toCondition(context)]) };
}

/** What counts documents besides. */
interface Counting {
  /** The rows that hits and their total show. */
  readonly shown: Scope;
  readonly discover: DiscoverPlan | undefined;
  readonly aggregations: AggregationPlan | undefined;
}

function totalOf(
  request: SearchRequest,
  table: Table,
  { shown, discover, aggregations }: Counting,
): TotalPlan | undefined {
  if (aggregations && !request.postFilter) return undefined;
  if (discover?.counted === 'all')
    return { statement: discover.counts.select, column: discover.counts.columns.docs };
  const statement = planTotal(request, table, shown);
  return statement && { statement, column: 0 };
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

/**
 * The statements of a plan, each once, in the order counts, hits, total, aggregations: for showing them. Hits are shown over
 * the whole time range; what the counts tell is not known before they run.
 */
export const statementsOf = ({
  discover,
  hits,
  total,
  aggregations,
}: SearchPlan): readonly SelectNode[] => [
  ...new Set([
    ...(discover ? [discover.counts.select] : []),
    ...(hits ? [hits.statement] : []),
    ...(total ? [total.statement] : []),
    ...(aggregations?.statements ?? []),
    ...(aggregations?.hits ?? []),
  ]),
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
  const run = once((select) => observed.executor.rows(compileSelect(select), execution));
  const readLines = (select: SelectNode): Promise<readonly string[]> =>
    linesOf(observed.executor.lines(compileSelect(select), execution));
  const running = { ...context, executor: observed.executor, execution, run, readLines };
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

type RunStatement = (select: SelectNode) => Promise<ResultSet>;

/** A search under way. */
interface RunningSearch extends SearchContext {
  readonly run: RunStatement;
  /** The lines that ClickHouse writes for a statement, together. */
  readonly readLines: (select: SelectNode) => Promise<readonly string[]>;
}

async function linesOf(result: Promise<ResultStream>): Promise<readonly string[]> {
  const batches: (readonly string[])[] = [];
  for await (const batch of (await result).lines) batches.push(batch);
  return batches.flat();
}

/** Runs equal statements that several parts of a search ask for once. */
function once(run: RunStatement): RunStatement {
  const running = new Map<string, Promise<ResultSet>>();
  return (select) => {
    const key = cacheKey(select);
    const result = running.get(key) ?? run(select);
    running.set(key, result);
    return result;
  };
}

function hitsOf(
  { hits, discover }: SearchPlan,
  request: SearchRequest,
  context: RunningSearch,
): Promise<Hits> {
  if (hits === undefined) return Promise.resolve(noHits);
  const { version, seqNoPrimaryTerm } = request;
  const index = context.indexName ?? context.table.name;
  const shape = { index, typed: (context.version ?? 8) < 8, version, seqNoPrimaryTerm };
  const read = (planned: HitsPlan): Promise<Hits> =>
    readHits(planned, shape, context.executor, context.execution);
  return discover ? readTrimmed(discover, hits, { run: context.run, read }) : read(hits);
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
  context: RunningSearch,
): Promise<CountedSearch> {
  const { aggregations, total } = plan;
  const [found, aggregated] = await Promise.all([
    total ? countedRows(total, context.run) : undefined,
    aggregations && aggregate(plan, aggregations, { request, context }),
  ]);
  if (!aggregated) return { ...readTotal(request, found ?? 0, 'statement'), sampling: 1 };
  const { matching, ...answered } = aggregated;
  const counted = request.postFilter
    ? readTotal(request, found ?? 0, 'statement')
    : readTotal(request, matching, 'aggregations');
  return { ...counted, ...answered };
}

interface Aggregated extends Pick<CountedSearch, 'sampling'> {
  readonly aggregations: JsonObject;
  /** The rows that match, also those that a sample leaves out. */
  readonly matching: number;
}

async function aggregate(
  plan: SearchPlan,
  aggregations: PlannedAggregations,
  {
    request,
    context: { run, readLines, table, sampling },
  }: { readonly request: SearchRequest; readonly context: RunningSearch },
): Promise<Aggregated> {
  const counted = countedBy(plan, run);
  const subject = {
    ...{ aggregations: request.aggregations, table, scope: plan.scope },
    ...{ sampling, counted },
  };
  const sample = isAllCounted(aggregations) ? undefined : await decideSampling(subject, run);
  const planned = sample ? plan.sampled(sample.rate) : aggregations;
  const [results, lines] = await Promise.all([
    Promise.all(planned.statements.map(run)),
    Promise.all(planned.hits.map(readLines)),
  ]);
  const answer = planned.assemble(results, lines);
  return {
    aggregations: answer.aggregations,
    matching: sample?.matching ?? answer.total,
    sampling: sample?.rate ?? 1,
  };
}

const countedRows = async ({ statement, column }: TotalPlan, run: RunStatement): Promise<number> =>
  Number((await run(statement)).rows[0]?.[column] ?? 0);

/** The rows that match, where the counts of minutes tell them. */
function countedBy(
  { discover }: SearchPlan,
  run: RunStatement,
): (() => Promise<number>) | undefined {
  if (discover?.counted !== 'all') return undefined;
  const { counts } = discover;
  return async () => readMinutes(counts, await run(counts.select)).rows;
}

/** Whether counts of minutes, which are never sampled, answer the aggregations. */
const isAllCounted = ({ statements, minutes }: PlannedAggregations): boolean =>
  statements.every((statement) => statement === minutes?.select);

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
    position: hits.position,
  };
}
