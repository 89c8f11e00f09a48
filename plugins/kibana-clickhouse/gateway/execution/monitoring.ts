import type { MonitorRecord } from '../../../../schema/monitor-record';
import { RequestAborted } from '../../clickhouse/execution/errors';
import type { ExecutionContext, StatementSummary } from '../../clickhouse/execution/executor';
import { type CompiledStatement, readableText, sampleOf } from '../../clickhouse/sql/compile';
import { ElasticsearchError } from '../../common/errors/elasticsearch-error';
import type { Monitor } from '../../metadata/monitor/monitor';
import { placeInKibana, recordedOpaqueId } from '../../metadata/monitor/opaque-id';
import type { Interceptor } from './interceptor';

/** Longest statement that is recorded whole, in characters. */
const LONGEST_SQL = 100_000;
/** Longest fingerprint that is recorded, in characters; a cut one would match nothing. */
const LONGEST_FINGERPRINT = 1_000_000;

/** Records every statement of a search with what it cost, those that fail and those that are refused too. */
export const monitored =
  (monitor: Monitor): Interceptor =>
  (next) => {
    const observed = async <R extends { readonly summary: StatementSummary }>(
      statement: CompiledStatement,
      context: ExecutionContext,
      run: () => Promise<R>,
    ): Promise<R> => {
      const base = monitor.isEnabled ? recordBase(statement, context) : undefined;
      if (!base) return run();
      const startTime = Date.now();
      try {
        const result = await run();
        monitor.record({ ...base, ...timesSince(startTime), ...countsOf(result.summary) });
        return result;
      } catch (error) {
        monitor.record({ ...base, ...timesSince(startTime), error: errorOf(error) });
        throw error;
      }
    };
    return {
      rows: (statement, context) =>
        observed(statement, context, () => next.rows(statement, context)),
      lines: (statement, context) =>
        observed(statement, context, () => next.lines(statement, context)),
    };
  };

type Times = Pick<MonitorRecord, 'timestamp' | 'startTime' | 'endTime' | 'cost'>;

function timesSince(startTime: number): Times {
  const endTime = Math.max(startTime, Date.now());
  return { timestamp: endTime, startTime, endTime, cost: endTime - startTime };
}

const countsOf = (summary: StatementSummary): Partial<MonitorRecord> => ({
  readRows: summary.readRows,
  readBytes: summary.readBytes,
  memory: summary.memoryBytes,
  resultRows: summary.resultRows,
  cacheHit: summary.cached === true,
});

/** Undefined for a statement that belongs to no caller's search. */
function recordBase(
  { select }: CompiledStatement,
  { caller, search }: ExecutionContext,
): Omit<MonitorRecord, keyof Times> | undefined {
  if (!caller || !search) return undefined;
  const { index, consumer, opaqueId } = caller;
  const fingerprint = search.fingerprint.length > LONGEST_FINGERPRINT ? '' : search.fingerprint;
  return {
    index,
    table: search.table,
    ...(consumer !== undefined && { consumer }),
    ...(opaqueId !== undefined && {
      opaqueId: recordedOpaqueId(opaqueId),
      ...placeInKibana(opaqueId),
    }),
    sql: shortened(readableText(select)),
    key: fingerprint,
    fingerprint,
    ...(search.rangeMs !== undefined && { range: search.rangeMs }),
    samplingRate: sampleOf(select),
    cacheHit: false,
  };
}

const shortened = (sql: string): string =>
  sql.length <= LONGEST_SQL
    ? sql
    : `${sql.slice(0, LONGEST_SQL)} … (${String(sql.length)} characters)`;

/** Reasons come from the catalogue, which puts neither values nor secrets into those of an execution. */
function errorOf(error: unknown): NonNullable<MonitorRecord['error']> {
  if (error instanceof ElasticsearchError) return { type: error.type, reason: error.message };
  if (error instanceof RequestAborted)
    return {
      type: 'request_aborted',
      reason: 'the client went away, the time of the search was over, or another statement failed',
    };
  return { type: 'exception', reason: 'internal error' };
}
