import { RequestAborted } from '../../clickhouse/execution/errors';
import { illegalArgument } from '../../common/errors/catalogue';
import { isJsonObject } from '../../common/json/json';
import { writeJson } from '../../common/json/write-json';
import type { AsyncSearchOutcome } from '../../metadata/async-search/async-search-store';
import { writeResponse } from '../../search/response/write-response';
import type { GatewayRequest } from '../endpoints/definition';
import { errorBody } from '../error-response';
import type { Runtime } from '../runtime';
import type { SearchOutcome } from '../search-index';
import { collectAnswer, MAX_KEPT_LENGTH } from './collect-answer';

/** What a search that nobody waits for has come to: its answer or its error. Never rejects. */
export async function outcomeOf(
  searching: Promise<SearchOutcome>,
  index: string,
  { id }: GatewayRequest,
  { log }: Runtime,
): Promise<AsyncSearchOutcome> {
  try {
    const outcome = await searching;
    if (outcome.kind === 'denied') return failed(outcome.status, deniedText(outcome.body));
    const collected = await collectAnswer(writeResponse(outcome.response));
    if (collected.kind === 'whole') return answered(collected.text);
    throw illegalArgument(
      `Can't store an async search response larger than [${String(MAX_KEPT_LENGTH)}] bytes`,
    );
  } catch (error) {
    // it was stopped, and is forgotten
    if (error instanceof RequestAborted) return failed(410, 'null');
    const { status, body } = errorBody(error, { log, id, index });
    return failed(status, writeJson(body['error'] ?? null));
  }
}

/** The outcome of a search whose answer is known. */
export const answered = (text: string): AsyncSearchOutcome => ({
  completedAt: Date.now(),
  status: 200,
  text,
});

const failed = (status: number, text: string): AsyncSearchOutcome => ({
  completedAt: Date.now(),
  status,
  text,
});

/** The error in Elasticsearch's refusal. */
function deniedText(body: Buffer): string {
  try {
    const content = JSON.parse(body.toString()) as unknown;
    return JSON.stringify(
      isJsonObject(content as never) ? (content as { error?: unknown }).error : content,
    );
  } catch {
    return JSON.stringify(body.toString());
  }
}
