import type { Table } from '../../clickhouse/catalog/table';
import type { ResultSet } from '../../clickhouse/execution/executor';
import { aggregate, as, integer } from '../../clickhouse/sql/build';
import type { SelectNode, Source } from '../../clickhouse/sql/nodes';
import type { NamedAggregation } from '../aggregations/definition';
import type { Scope } from '../plan/aggregation-plan';
import { samplingRate } from './sampling-rate';
import { areEstimable } from './scaled-columns';

/** What the settings say about sampling an index. */
export interface SamplingSettings {
  /** Rows: aggregations over more are answered from a part of them; 0: never. */
  readonly threshold: number;
  /** Whether SAMPLE reads fewer rows of the table; absent: it does. */
  readonly readsLess?: () => Promise<boolean>;
}

/** What the aggregations of a sampled search read. */
export interface SamplingDecision {
  /** Part of the matching rows, below 1. */
  readonly rate: number;
  /** Matching rows, counted. */
  readonly matching: number;
}

/** What is decided about. */
export interface SamplingSubject {
  readonly aggregations: readonly NamedAggregation[];
  readonly table: Table;
  readonly scope: Scope;
  /** Absent: the index is not listed as sampled. */
  readonly sampling?: SamplingSettings | undefined;
  /** The matching rows, where another statement of the search counts them. */
  readonly counted?: (() => Promise<number>) | undefined;
}

/**
 * Decides whether the aggregations of a search are sampled: the index is listed, its table has a SAMPLE BY that saves reading,
 * every metric can be estimated, and more rows match than the threshold; undefined where they are not. What EXPLAIN ESTIMATE says bounds the rows
 * that can match, so that small searches are decided without reading any; else the matching rows are counted.
 */
export async function decideSampling(
  subject: SamplingSubject,
  run: (select: SelectNode) => Promise<ResultSet>,
): Promise<SamplingDecision | undefined> {
  const { table, scope } = subject;
  const counted = async (): Promise<number> =>
    Number((await run(count(table, scope))).rows[0]?.[0] ?? 0);
  const threshold = subject.sampling?.threshold ?? 0;
  if (threshold === 0 || !canBeSampled(subject)) return undefined;
  if ((await subject.sampling?.readsLess?.()) === false) return undefined;
  if (tellsEstimates(table) && readRows(await run(estimate(table, scope))) <= threshold)
    return undefined;
  const matching = await (subject.counted ?? counted)();
  const rate = samplingRate(threshold, matching);
  return rate < 1 ? { rate, matching } : undefined;
}

const canBeSampled = ({ table, aggregations }: SamplingSubject): boolean =>
  table.samplingKey !== undefined && aggregations.length > 0 && areEstimable(aggregations);

const from = ({ database, name }: Table): Source => ({ kind: 'table', database, table: name });

const count = (table: Table, scope: Scope): SelectNode => ({
  columns: [as('total', aggregate('count'))],
  from: from(table),
  ...scope,
});

/** Of a Distributed table ClickHouse estimates the local shard alone. */
const tellsEstimates = ({ engine }: Table): boolean => engine.endsWith('MergeTree');

/** Rows are selected, not counted: of a bare count() ClickHouse may estimate nothing, because it reads nothing for it. */
const estimate = (table: Table, scope: Scope): SelectNode => ({
  explain: 'estimate',
  columns: [as('row', integer(1))],
  from: from(table),
  ...scope,
});

/** Rows that an estimate says would be read: it has none where nothing would be. */
const readRows = ({ rows }: ResultSet): number =>
  rows.reduce((sum, [, , , read]) => sum + Number(read ?? 0), 0);
