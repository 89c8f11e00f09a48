import type { Table } from '../../clickhouse/catalog/table';
import type { ResultSet } from '../../clickhouse/execution/executor';
import { aggregate, as, column, integer } from '../../clickhouse/sql/build';
import type { SelectNode, Source } from '../../clickhouse/sql/nodes';
import type { NamedAggregation } from '../aggregations/definition';
import type { Scope } from '../plan/aggregation-plan';
import { samplingRate } from './sampling-rate';
import { canBeSampled } from './scaled-columns';

/** What the settings say about sampling an index. */
export interface SamplingSettings {
  /** Rows: aggregations over more are answered from a part of them; 0: never. */
  readonly threshold: number;
}

/** The part of the rows that the aggregations of a search read, and how many rows match where that was counted. */
export interface SamplingDecision {
  /** 1: all. */
  readonly rate: number;
  /** Exact. Absent where it need not be known. */
  readonly matching?: number;
}

/** What is decided about. */
export interface SamplingSubject {
  readonly aggregations: readonly NamedAggregation[];
  readonly table: Table;
  readonly scope: Scope;
  /** Absent: the index is not listed as sampled. */
  readonly sampling?: SamplingSettings | undefined;
}

const ALL: SamplingDecision = { rate: 1 };

/**
 * Decides whether the aggregations of a search are sampled: the index is listed, its table has a SAMPLE BY, every metric can be
 * estimated, and more rows match than the threshold. What EXPLAIN ESTIMATE says bounds the rows that can match, so that small
 * searches are decided without reading any; else the matching rows are counted.
 */
export async function decideSampling(
  { aggregations, table, scope, sampling }: SamplingSubject,
  run: (select: SelectNode) => Promise<ResultSet>,
): Promise<SamplingDecision> {
  const threshold = sampling?.threshold ?? 0;
  if (threshold === 0 || table.samplingKey === undefined || aggregations.length === 0) return ALL;
  if (!canBeSampled(aggregations)) return ALL;
  if (tellsEstimates(table)) {
    const { rows } = await run(estimate(table, scope));
    if (Number(rows[0]?.[0] ?? 0) <= threshold) return ALL;
  }
  const { rows } = await run(count(table, scope));
  const matching = Number(rows[0]?.[0] ?? 0);
  return { rate: samplingRate(threshold, matching), matching };
}

const from = ({ database, name }: Table): Source => ({ kind: 'table', database, table: name });

const count = (table: Table, scope: Scope): SelectNode => ({
  columns: [as('total', aggregate('count'))],
  from: from(table),
  ...scope,
});

/** Of a Distributed table ClickHouse estimates the local shard alone. */
const tellsEstimates = ({ engine }: Table): boolean => engine.endsWith('MergeTree');

/** Rows are selected, not counted: of a bare count() ClickHouse may estimate nothing, because it reads nothing for it. */
function estimate(table: Table, scope: Scope): SelectNode {
  const rows: SelectNode = { columns: [as('row', integer(1))], from: from(table), ...scope };
  return {
    columns: [as('rows', aggregate('sum', column('rows')))],
    from: { kind: 'estimate', select: rows },
  };
}
