import { setTimeout as sleep } from 'node:timers/promises';
import { request } from 'undici';
import { StartFailure, reasonOf } from './failure';

/** One request that shows whether the whole way answers. */
export interface Probe {
  readonly url: string;
  /** A POST with this JSON; without it a GET. */
  readonly body?: string;
  /** Only 200 counts: the answer must come from ClickHouse. */
  readonly mustSucceed: boolean;
}

const limitMs = 45_000;
const answerLimitMs = 10_000;
const pauseMs = 100;
/** Too many requests, and what a gateway says while something behind it is not up yet. */
const passing: readonly number[] = [429, 502, 503, 504];

/**
 * Repeats a request until it is answered: with 200 where it must succeed, else by the plugin in any
 * way (below 500, or an error in Elasticsearch's shape). Throws StartFailure with the last answer
 * after 45 s, at once for one that time does not mend, and when the signal aborts.
 */
export async function untilAnswered(probe: Probe, signal: AbortSignal): Promise<void> {
  const limit = performance.now() + limitMs;
  let last = '';
  while (performance.now() < limit && !signal.aborted) {
    try {
      const { status, text } = await ask(probe, signal);
      if (status === 200 || (!probe.mustSucceed && isAnswer(status, text))) return;
      last = `status ${String(status)}: ${text.slice(0, 500)}`;
      if (!passing.includes(status)) break;
    } catch (error) {
      last = reasonOf(error);
    }
    await sleep(pauseMs);
  }
  throw new StartFailure(`${probe.url} did not answer as it should: ${last}`);
}

async function ask(
  { url, body }: Probe,
  stop: AbortSignal,
): Promise<{ status: number; text: string }> {
  const headers = { connection: 'close' };
  const signal = AbortSignal.any([stop, AbortSignal.timeout(answerLimitMs)]);
  const answer = await (body === undefined
    ? request(url, { headers, signal })
    : request(url, {
        method: 'POST',
        headers: { ...headers, 'content-type': 'application/json' },
        body,
        signal,
      }));
  return { status: answer.statusCode, text: await answer.body.text() };
}

/** Not that nobody is there yet to answer: a slow machine takes longer than a request waits. */
const isAnswer = (status: number, text: string): boolean =>
  status < 500 ||
  (/"error"\s*:\s*\{/.test(text) && !text.includes('the answer process is not running'));
