import { parseTimeValue } from '../../common/time/time-value';
import { validationError } from '../../common/errors/catalogue';
import { booleanParameter } from '../../search/request/coerce';

/** What an asynchronous search asks beside the search. Times in ms. */
export interface SubmitOptions {
  /** How long the request waits for its end. */
  readonly waitMs: number;
  readonly keepAliveMs: number;
  /** Whether the answer is kept also when it comes within that time. */
  readonly keepsAnswer: boolean;
}

/** Elasticsearch's defaults: a second, and five days. */
const DEFAULT_WAIT_MS = 1_000;
const DEFAULT_KEEP_ALIVE_MS = 5 * 24 * 60 * 60_000;
const LEAST_KEEP_ALIVE_MS = 1_000;
/** Node's timers know no longer time. */
const LONGEST_WAIT_MS = 2 ** 31 - 1;

type Query = ReadonlyMap<string, string>;

/** Reads the parameters of `POST /{index}/_async_search`; 400 as Elasticsearch's. */
export function readSubmitOptions(query: Query): SubmitOptions {
  const keep = query.get('keep_on_completion');
  return {
    waitMs: readWait(query) ?? DEFAULT_WAIT_MS,
    keepAliveMs: readKeepAlive(query) ?? DEFAULT_KEEP_ALIVE_MS,
    keepsAnswer: keep !== undefined && booleanParameter(keep),
  };
}

/** `wait_for_completion_timeout` in ms; negative: until it ends. Undefined where it is not said. */
export function readWait(query: Query): number | undefined {
  const text = query.get('wait_for_completion_timeout');
  if (text === undefined) return undefined;
  const ms = parseTimeValue(text, 'wait_for_completion_timeout');
  return ms < 0 ? LONGEST_WAIT_MS : Math.min(ms, LONGEST_WAIT_MS);
}

/** `keep_alive` in ms, a second at least; undefined where it is not said. */
export function readKeepAlive(query: Query): number | undefined {
  const text = query.get('keep_alive');
  if (text === undefined) return undefined;
  const ms = parseTimeValue(text, 'keep_alive');
  if (ms >= LEAST_KEEP_ALIVE_MS) return ms;
  throw validationError([
    `[keep_alive] must be greater or equals than one second, got: ${text.trim()}`,
  ]);
}
