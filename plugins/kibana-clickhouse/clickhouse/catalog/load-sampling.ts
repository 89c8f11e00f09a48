import { ElasticsearchError } from '../../common/errors/elasticsearch-error';
import type { ExecutionContext, Executor } from '../execution/executor';
import { as, integer } from '../sql/build';
import { compileSelect } from '../sql/compile';
import type { SelectNode } from '../sql/nodes';
import type { Table } from './table';

/** The smallest sample there is: no other one reads less. */
const SAMPLE = 0.01;
/** Granules of a table below which every sample may read all of them, whatever its key. */
const FEW_GRANULES = 16;
/** A sample that reads more than this part of the rows saves nothing worth an estimate. */
const NO_LESS = 0.9;

/**
 * Whether SAMPLE makes ClickHouse read fewer rows of a table: what EXPLAIN ESTIMATE says with and without it, of a Distributed
 * table about the local one. It does not where nearly unique columns stand before the sampling key in the primary key, as in
 * `ORDER BY (timestamp, hash)`. True for a table that is too small to tell, and where ClickHouse does not estimate.
 */
export async function sampleReadsLess(
  { database, name, localTable }: Table,
  executor: Executor,
  context: ExecutionContext,
): Promise<boolean> {
  const place = localTable ?? { database, name };
  const read = async (sample?: number): Promise<Estimate> => {
    const statement: SelectNode = {
      explain: 'estimate',
      columns: [as('row', integer(1))],
      from: {
        kind: 'table',
        database: place.database,
        table: place.name,
        ...(sample !== undefined && { sample }),
      },
    };
    return readEstimate((await executor.rows(compileSelect(statement), context)).rows);
  };
  try {
    const [all, sampled] = await Promise.all([read(), read(SAMPLE)]);
    return all.granules < FEW_GRANULES || sampled.rows <= all.rows * NO_LESS;
  } catch (error) {
    if (error instanceof ElasticsearchError) return true;
    throw error;
  }
}

interface Estimate {
  readonly rows: number;
  readonly granules: number;
}

/** Lines of database, table, parts, rows and granules; none where nothing would be read. */
const readEstimate = (lines: readonly (readonly unknown[])[]): Estimate => ({
  rows: lines.reduce((sum, [, , , rows]) => sum + Number(rows), 0),
  granules: lines.reduce((sum, [, , , , granules]) => sum + Number(granules), 0),
});
