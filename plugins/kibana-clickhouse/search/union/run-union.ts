import type { SearchIdentity } from '../../clickhouse/execution/executor';
import { compileSelect } from '../../clickhouse/sql/compile';
import { unsupported } from '../../common/errors/catalogue';
import type { JsonObject } from '../../common/json/json';
import type { AggregationContext } from '../aggregations/definition';
import { observedExecutor } from '../cached-statements';
import { planAggregations } from '../plan/plan-aggregations';
import type { TimeSpan } from '../queries/definition';
import { splitCondition } from '../queries/split-time-range';
import type { SearchRequest } from '../request/search-request';
import type { HitsTotal, SearchResponse } from '../response/search-response';
import { planSearch, runSearch, type SearchContext } from '../run-search';
import { withRuntimeFields } from '../runtime-fields/runtime-table';
import { checkLimits } from '../search-limits';
import { checkUnion } from './check-union';
import { mergeHits } from './merge-hits';
import { memberSearch } from './union-keys';
import { ofUnion, type UnionMember, unionTable } from './union-table';

/** An index of a search over several. */
export interface UnionContext extends SearchContext {
  /** The name that its hits carry. */
  readonly indexName: string;
}

/** The indexes of a search, one at least. */
export type UnionContexts = readonly [UnionContext, ...UnionContext[]];

/**
 * Answers a search over several tables, as Elasticsearch does one over several indexes: each is asked for its hits and its
 * total by the conditions that its own fields make of the query; the hits are merged in the order of the sort, and
 * aggregations read the rows of all tables together (UNION ALL). Nothing is sampled. What Elasticsearch would report as the
 * failure of some shards fails the whole search. Throws an `ElasticsearchError`.
 */
export async function runUnion(
  request: SearchRequest,
  contexts: UnionContexts,
): Promise<SearchResponse> {
  checkUnion(request.aggregations);
  const failure = new AbortController();
  const [first, ...others] = contexts.map((context) =>
    planMember(request, context, failure.signal),
  );
  if (first === undefined) throw new TypeError('a search has an index');
  const members: Members = [first, ...others];
  const search = memberSearch(
    request,
    members.map(({ table }) => table),
  );
  try {
    const [answers, aggregated] = await Promise.all([
      Promise.all(members.map(({ context }) => runSearch(search.request, context))),
      aggregate(request, members),
    ]);
    const hits = answers.map((answer) => answer.hits);
    return {
      ...together(request, answers),
      tookMs: Math.max(0, Date.now() - (contexts[0].startedAt ?? contexts[0].now)),
      hits: mergeHits(hits, { ...request, keys: search.keys }),
      ...(aggregated && { aggregations: aggregated.aggregations }),
      cache: answers.every(({ cache }) => cache) && aggregated?.cache !== false,
      shards: contexts.length,
    };
  } catch (error) {
    failure.abort();
    throw error;
  }
}

interface Member extends UnionMember {
  readonly context: UnionContext;
  readonly identity: SearchIdentity;
  readonly span: (field: string) => TimeSpan;
}

type Members = readonly [Member, ...Member[]];

/** What the query means for one table; what Elasticsearch would refuse, and what is beyond a limit, is thrown. */
function planMember(request: SearchRequest, given: UnionContext, failed: AbortSignal): Member {
  const signal = AbortSignal.any([given.execution.signal, failed]);
  const context = { ...given, execution: { ...given.execution, signal } };
  const table = withRuntimeFields(given.table, request.runtimeFields);
  const counted = { ...request, aggregations: [], size: 0 };
  const { scope, identity } = planSearch(counted, given);
  const { span, timeSpan } = splitCondition(request.query, { ...given, table });
  checkLimits({ request, table, timeSpan, now: given.now }, given.limits ?? {});
  return { index: given.indexName, table, scope, identity, span, context };
}

type Together = Pick<
  SearchResponse,
  'maxScore' | 'sampling' | 'terminatedEarly' | 'total' | 'totalAsInteger'
>;

function together(request: SearchRequest, answers: readonly SearchResponse[]): Together {
  const early = answers.flatMap(({ terminatedEarly }) => terminatedEarly ?? []);
  const scores = answers.map(({ maxScore }) => maxScore).filter((score) => score !== 'null');
  return {
    total: totalOf(request, answers),
    totalAsInteger: request.totalAsInteger,
    maxScore: [...scores].sort().at(-1) ?? 'null',
    ...(request.terminateAfter !== undefined && { terminatedEarly: early.includes(true) }),
    sampling: 1,
  };
}

function totalOf(
  { totalHits }: SearchRequest,
  answers: readonly SearchResponse[],
): HitsTotal | undefined {
  if (totalHits.kind === 'none') return undefined;
  const totals = answers.flatMap(({ total }) => total ?? []);
  const value = totals.reduce((sum, total) => sum + total.value, 0);
  const isMore = totals.some(({ relation }) => relation === 'gte');
  if (totalHits.kind === 'upTo' && (isMore || value > totalHits.limit))
    return { value: totalHits.limit, relation: 'gte' };
  return { value, relation: 'eq' };
}

interface Aggregated {
  readonly aggregations: JsonObject;
  readonly cache: boolean;
}

async function aggregate(
  request: SearchRequest,
  members: Members,
): Promise<Aggregated | undefined> {
  if (request.aggregations.length === 0) return undefined;
  const [{ context, identity }] = members;
  const plan = planAggregations(
    request.aggregations,
    { where: { kind: 'and', terms: [] } },
    aggregationContext(request, members),
  );
  const observed = observedExecutor(context.executor);
  const structure = members.map((one) => one.identity.structure ?? '').join('\n');
  const execution = { ...context.execution, search: { ...identity, structure } };
  const results = await Promise.all(
    plan.statements.map((statement) =>
      observed.executor.rows(compileSelect(ofUnion(statement, members)), execution),
    ),
  );
  return {
    aggregations: plan.assemble(results, []).aggregations,
    cache: observed.allCached(),
  };
}

function aggregationContext(request: SearchRequest, members: Members): AggregationContext {
  const [{ context }] = members;
  const { textSearch, now, version } = context;
  if (members.some((one) => one.context.textSearch !== textSearch))
    throw unsupported('aggregations over indexes whose setting textSearch differs');
  const limits = members.flatMap((one) => one.context.limits?.maxBuckets ?? []);
  return {
    table: unionTable(members),
    now,
    ...(textSearch && { textSearch }),
    ...(version !== undefined && { version }),
    ...(limits.length > 0 && { maxBuckets: Math.min(...limits) }),
    span: (field) => widestSpan(field, members),
    scoring: request.query.scoring,
    hitFields: request.fields,
    totalAsInteger: request.totalAsInteger,
  };
}

/** What all of them leave of time; open where one of them is. */
function widestSpan(field: string, members: Members): TimeSpan {
  const spans = members.map(({ span }) => span(field));
  const first = spans[0];
  const from = spans.map((span) => span.from ?? -Infinity);
  const to = spans.map((span) => span.to ?? Infinity);
  const isSame = spans.every((span) => span.to === first?.to && span.before === first?.before);
  if (first && isSame && from.every((one) => one === from[0])) return first;
  const [start, end] = [Math.min(...from), Math.max(...to)];
  return {
    field,
    ...(start !== -Infinity && { from: start }),
    ...(end !== Infinity && { to: end }),
  };
}
