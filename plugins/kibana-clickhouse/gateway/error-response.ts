import { internalError } from '../common/errors/catalogue';
import { ElasticsearchError } from '../common/errors/elasticsearch-error';
import type { JsonObject } from '../common/json/json';
import type { Log } from '../common/log';

interface ErrorContext {
  readonly log: Log;
  /** The request's id, which stands in the log and in the reason of a 500. */
  readonly id: string;
  /** The index of a failed search; absent: none. */
  readonly index?: string | undefined;
}

/**
 * Any error as Elasticsearch's body and status. What is no `ElasticsearchError` is our own fault: a 500
 * whose reason carries the request's id; its stack stands in the log and nowhere else.
 */
export function errorBody(
  error: unknown,
  { log, id, index }: ErrorContext,
): { readonly status: number; readonly body: JsonObject } {
  if (error instanceof ElasticsearchError) {
    const { status, type, message } = error;
    if (status >= 500) log.error({ id, status, type, cause: causeOf(error) }, message);
    else log.debug({ id, status, type });
    return { status, body: error.toBody(index) };
  }
  log.error({ id, stack: error instanceof Error ? error.stack : typeof error }, 'internal error');
  const own = internalError(
    `[kibana-clickhouse] internal error; the log has it under request id [${id}]`,
  );
  return { status: own.status, body: own.toBody() };
}

/** Name and code of what lies below: its message may hold values of the request. */
function causeOf({ cause }: ElasticsearchError): JsonObject | undefined {
  if (!(cause instanceof Error)) return undefined;
  const code = 'code' in cause && typeof cause.code === 'string' ? { code: cause.code } : {};
  return { name: cause.name, ...code };
}
