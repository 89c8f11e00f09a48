import { ElasticsearchError } from '../../common/errors/elasticsearch-error';

/**
 * Why a part does not work, for `/health`: the reason of an error of the catalogue, which holds no
 * secret; what else was thrown is not told.
 */
export function reasonOfFailure(error: unknown): string {
  if (error instanceof ElasticsearchError) return error.message.replace('[kibana-clickhouse] ', '');
  if (isTimeout(error)) return 'it does not answer in time';
  return 'it failed; the log of the gateway says why';
}

/** What `AbortSignal.timeout` throws is a DOMException. */
const isTimeout = (error: unknown): boolean =>
  typeof error === 'object' && error !== null && 'name' in error && error.name === 'TimeoutError';
