import type { JsonObject } from '../../plugins/kibana-clickhouse/common/json/json';
import { isJsonObject } from '../../plugins/kibana-clickhouse/common/json/json';

/**
 * What is wrong with the envelope of an asynchronous search that has ended: it is complete, was started before it expires,
 * and holds the answer; an `id` is there only when the answer can be asked for again. Undefined for nothing. The judge has
 * no such envelope (Elasticsearch 7.17 with x-pack, `AsyncSearchResponse`).
 */
export function envelopeFault(envelope: JsonObject): string | undefined {
  const { id, is_running: running, is_partial: partial, response } = envelope;
  const start = envelope['start_time_in_millis'];
  const end = envelope['expiration_time_in_millis'];
  const isTimed =
    Number.isSafeInteger(start) && Number.isSafeInteger(end) && Number(start) <= Number(end);
  const isNamed = id === undefined || (typeof id === 'string' && id !== '');
  if (running === false && partial === false && isTimed && isNamed && isJsonObject(response))
    return undefined;
  const shown = response === undefined ? {} : { response: '…' };
  return `the envelope of an asynchronous search: ${JSON.stringify({ ...envelope, ...shown })}`;
}
