import { RequestAborted } from '../../clickhouse/execution/errors';
import { timeLimitExceeded } from '../../common/errors/catalogue';

/** ClickHouse knows the limit of each statement, and has this time for its own error, in ms. */
const GRACE_MS = 50;
/** Node's timers know no longer time, in ms. */
const LONGEST_MS = 2 ** 31 - 1;

/**
 * Runs a search within the time that its `timeout` gives it (ms; absent: no end of its own). ClickHouse ends each statement at
 * that limit, but knows neither those before it nor the wait for a place: here the time of the whole search is over, and its
 * statements end, also those that wait. Then fails with the 400 that ClickHouse's own limit becomes.
 */
export async function withinTimeout<T>(
  timeoutMs: number | undefined,
  client: AbortSignal,
  run: (signal: AbortSignal) => Promise<T>,
): Promise<T> {
  if (timeoutMs === undefined || timeoutMs > LONGEST_MS - GRACE_MS) return run(client);
  const limit = new AbortController();
  const timer = setTimeout(() => {
    limit.abort();
  }, timeoutMs + GRACE_MS);
  try {
    return await run(AbortSignal.any([client, limit.signal]));
  } catch (error) {
    if (!(error instanceof RequestAborted) || client.aborted || !limit.signal.aborted) throw error;
    throw timeLimitExceeded(
      `the search was stopped at its time limit of [${String(timeoutMs)}] ms`,
      error,
    );
  } finally {
    clearTimeout(timer);
  }
}
