import { request } from 'undici';

/** An answer of the judge. */
export interface JudgeAnswer {
  readonly status: number;
  readonly headers: Readonly<Record<string, string | string[] | undefined>>;
  /** The body as it came; numbers beyond 2^53 are exact only here. */
  readonly text: string;
  /** The body parsed, the text itself when it is no JSON, undefined when it is empty. */
  readonly body: unknown;
}

/** A body as an object, or as text that is sent as it is (ndjson of `_bulk` and `_msearch`, exact numbers). */
export type JudgeBody = object | string | undefined;

/**
 * Sends one request to a server at `url` (credentials may stand in it) and gives its answer, whatever the status.
 * Throws an error that names the request when nothing answers.
 */
export type JudgeRequest = (
  url: string,
  method: string,
  path: string,
  body?: JudgeBody,
) => Promise<JudgeAnswer>;

const isLines = (path: string): boolean => /\/_(bulk|msearch)(\/|\?|$)/.test(path);

function parse(text: string): unknown {
  if (text === '') return undefined;
  try {
    return JSON.parse(text);
  } catch {
    return text;
  }
}

function authorization(target: URL): { readonly authorization?: string } {
  if (target.username === '') return {};
  const pair = `${decodeURIComponent(target.username)}:${decodeURIComponent(target.password)}`;
  target.username = '';
  target.password = '';
  return { authorization: `Basic ${Buffer.from(pair).toString('base64')}` };
}

function explain(error: unknown, what: string, limitMs: number): Error {
  const { name, message } = error as Error;
  const reason =
    name === 'TimeoutError' ? `no answer within ${String(limitMs / 1000)} s` : message || name;
  return new Error(`${what}: ${reason}`, { cause: error });
}

/** A `JudgeRequest` that gives up after `limitMs` milliseconds, the body's arrival included. */
export function judgeRequester(limitMs: number): JudgeRequest {
  return async (url, method, path, body) => {
    const target = new URL(url.replace(/\/$/, '') + path);
    const headers = {
      ...authorization(target),
      ...(body === undefined
        ? {}
        : { 'content-type': isLines(path) ? 'application/x-ndjson' : 'application/json' }),
    };
    try {
      const answer = await request(target, {
        method,
        headers,
        body: typeof body === 'object' ? JSON.stringify(body) : (body ?? null),
        signal: AbortSignal.timeout(limitMs),
      });
      const text = await answer.body.text();
      return { status: answer.statusCode, headers: answer.headers, text, body: parse(text) };
    } catch (error) {
      throw explain(error, `${method} ${path}`, limitMs);
    }
  };
}

/**
 * `JudgeRequest` with a limit of 60 s. Elasticsearch 7.17 never answers when a request kills its search thread, as one
 * does that reaches a class the judge lacks.
 */
export const judgeRequest: JudgeRequest = judgeRequester(60_000);
