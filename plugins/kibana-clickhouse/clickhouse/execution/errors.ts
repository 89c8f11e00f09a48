import {
  beyondLimit,
  illegalArgument,
  indexNotFound,
  internalError,
  memoryLimitExceeded,
  queryShardError,
  rejectedExecution,
  storeUnavailable,
  timeLimitExceeded,
} from '../../common/errors/catalogue';
import { ElasticsearchError } from '../../common/errors/elasticsearch-error';
import type { StatementLimits } from './executor';

/** The client went away: nobody waits for an answer any more. */
export class RequestAborted extends Error {
  constructor(cause?: unknown) {
    super('the client closed the request', { cause });
    this.name = 'RequestAborted';
  }
}

/** What is known about a failed statement. */
export interface Failure {
  readonly code: number;
  /** ClickHouse's name of the code: `UNKNOWN_TABLE`. */
  readonly name: string;
  /** ClickHouse's own text. It may quote the statement and its values: never shown as it is. */
  readonly message: string;
  readonly error: unknown;
}

type Explain = (failure: Failure, limits: StatementLimits) => ElasticsearchError;

const unavailable =
  (reason: string): Explain =>
  ({ error }) =>
    storeUnavailable(reason, error);

const timeLimit: Explain = ({ error }, { maxExecutionMs }) =>
  timeLimitExceeded(
    `ClickHouse stopped the search at its time limit${maxExecutionMs === undefined ? '' : ` of [${String(maxExecutionMs)}] ms`}`,
    error,
  );

const memoryLimit: Explain = ({ error }, { maxMemoryBytes }) =>
  memoryLimitExceeded(
    `ClickHouse stopped the search at its memory limit${maxMemoryBytes === undefined ? '' : `: maxMemoryBytes allows [${String(maxMemoryBytes)}] bytes`}`,
    error,
  );

const tooMuchData: Explain = ({ name, error }) =>
  illegalArgument(`a limit of the ClickHouse user stopped the search [${name}]`, error);

const tooManyRows: Explain = (failure, limits) => {
  const { maxReadRows } = limits;
  if (maxReadRows === undefined || !failure.message.includes('max_rows_to_read'))
    return tooMuchData(failure, limits);
  return beyondLimit(
    `the search reads ${rowsIn(failure)}: more than maxReadRows allows, [${String(maxReadRows)}]`,
    failure.error,
  );
};

const tooManyResults: Explain = (failure, limits) => {
  const { maxResultRows } = limits;
  if (maxResultRows === undefined || !failure.message.includes('max rows'))
    return tooMuchData(failure, limits);
  return beyondLimit(
    `a statement of the search has ${rowsIn(failure)} in its result: more than maxResultRow allows, [${String(maxResultRows)}]`,
    failure.error,
  );
};

/** The count with which ClickHouse stopped, as it writes it: `100.00 thousand`. */
function rowsIn({ message }: Failure): string {
  const count = /current rows: ([\d.]+)( thousand| million| billion)?/.exec(message);
  if (count === null) return 'more rows';
  const [, number = '', scale = ''] = count;
  return `[${number.replace(/\.00$/, '')}${scale}] rows or more`;
}

const tooComplex: Explain = ({ name, error }) =>
  illegalArgument(
    `the search is too complex for ClickHouse [${name}]: ask for fewer conditions, values or aggregations at once`,
    error,
  );

/** Elsewhere a fault of ours; of a long statement ClickHouse says so too that it stopped reading. */
const syntaxError: Explain = (failure, limits) =>
  failure.message.includes('max_query_size') ? tooComplex(failure, limits) : unexplained(failure);

const unexplained = ({ code, name, error }: Failure): ElasticsearchError =>
  internalError(
    `ClickHouse failed with code ${String(code)} [${name}]: see the log of the gateway`,
    error,
  );

const refusedUser = unavailable('ClickHouse refuses the configured user: check user and password');

const tableChanged: Explain = ({ error }) => {
  const answer = queryShardError(
    'a column of the table has changed since it was read: search again in a minute',
  );
  answer.cause = error;
  return answer;
};

/** By ClickHouse's error code (`src/Common/ErrorCodes.cpp`). */
const explanations: Readonly<Record<number, Explain>> = {
  16: tableChanged,
  47: tableChanged,
  60: ({ message }) => indexNotFound(tableIn(message)),
  62: syntaxError,
  81: ({ message }) => indexNotFound(tableIn(message)),
  158: tooManyRows,
  159: timeLimit,
  160: timeLimit,
  164: ({ message, error }) => storeUnavailable(settingReason(message), error),
  // deeper than max_ast_depth, larger than max_ast_elements or max_expanded_ast_elements
  167: tooComplex,
  168: tooComplex,
  192: refusedUser,
  193: refusedUser,
  194: refusedUser,
  195: refusedUser,
  201: ({ error }) => rejectedExecution('the quota of the ClickHouse user is used up', error),
  202: ({ error }) => rejectedExecution('ClickHouse runs too many queries at once', error),
  209: unavailable('ClickHouse cannot reach one of its own servers'),
  210: unavailable('ClickHouse cannot reach one of its own servers'),
  241: memoryLimit,
  279: unavailable('ClickHouse cannot reach one of its own servers'),
  // deeper than max_parser_depth or than the stack of a thread
  306: tooComplex,
  307: tooMuchData,
  394: ({ error }) => timeLimitExceeded('the search was cancelled in ClickHouse', error),
  396: tooManyResults,
  427: ({ error }) =>
    illegalArgument('the regular expression is not one that ClickHouse can run (RE2)', error),
  452: ({ message, error }) => storeUnavailable(settingReason(message), error),
  497: ({ message, error }) => storeUnavailable(grantReason(message), error),
  516: refusedUser,
  // more steps back than max_parser_backtracks
  718: tooComplex,
};

/** Only ClickHouse's names of databases, tables and settings leave its message, never SQL or values. */
const tableIn = (message: string): string => {
  const name =
    /identifier '([^']+)'/.exec(message) ??
    /(?:Table|Database|table|database) ([\w.`@ -]+?) (?:does not exist|doesn't exist)/.exec(
      message,
    );
  return name?.[1]?.replaceAll('`', '') ?? '_unknown';
};

function grantReason(message: string): string {
  const grant = /have the grant ([A-Z ]+?)(?:\([^)]*\))? ON ([\w.*`-]*[\w*`])/.exec(message);
  return grant
    ? `the ClickHouse user lacks the grant ${grant[1] ?? ''} ON ${grant[2] ?? ''}`
    : 'the ClickHouse user lacks a grant that the search needs';
}

function settingReason(message: string): string {
  const setting = /[Ss]etting '?([a-z_0-9]+)'?|modify '([a-z_0-9]+)'/.exec(message);
  const name = setting?.[2] ?? setting?.[1];
  return name === undefined
    ? 'the profile of the ClickHouse user forbids what the search needs'
    : `the profile of the ClickHouse user forbids the setting [${name}]: declare it changeable_in_readonly`;
}

/**
 * Turns whatever a statement failed with into an error of the catalogue. ClickHouse's codes decide
 * where there is one; connection failures become 503 with the address left out; the rest is 500 with
 * code and name. Neither SQL nor values nor the server's address are in a reason. `limits`: what the
 * statement was allowed, named where that stopped it.
 */
export function toElasticsearchError(
  error: unknown,
  limits: StatementLimits = {},
): ElasticsearchError {
  if (error instanceof ElasticsearchError) return error;
  const failure = asClickHouseFailure(error);
  if (failure === undefined) return connectionError(error);
  const explain = explanations[failure.code];
  return explain ? explain(failure, limits) : unexplained(failure);
}

/** ClickHouse's code and name, when the error is one of ClickHouse's; undefined for all others. */
export function asClickHouseFailure(error: unknown): Failure | undefined {
  if (!(error instanceof Error)) return undefined;
  const { code, type } = error as Error & { readonly code?: unknown; readonly type?: unknown };
  if (typeof code === 'string' && /^\d+$/.test(code))
    return {
      code: Number(code),
      name: typeof type === 'string' ? type : 'UNKNOWN',
      message: error.message,
      error,
    };
  return undefined;
}

/** No connection came about, so no statement was sent. */
const notConnected: ReadonlySet<string> = new Set([
  'ECONNREFUSED',
  'EHOSTUNREACH',
  'ENETUNREACH',
  'ENOTFOUND',
  'EAI_AGAIN',
  'ETIMEDOUT',
]);

/** Whether what `toElasticsearchError` explained is that a server could not be reached: another one can then be asked. */
export function isNotConnected(error: unknown): boolean {
  if (!(error instanceof ElasticsearchError)) return false;
  const { code } = (error.cause ?? {}) as { readonly code?: unknown };
  return typeof code === 'string' && (notConnected.has(code) || isUntrusted(code));
}

const isUntrusted = (code: string): boolean => /CERT|TLS|SSL|EPROTO/.test(code);

const connectionReasons: Readonly<Record<string, string>> = {
  ECONNREFUSED: 'ClickHouse is not reachable: connection refused',
  ECONNRESET: 'ClickHouse closed the connection',
  EHOSTUNREACH: 'ClickHouse is not reachable: no route to its host',
  ENETUNREACH: 'ClickHouse is not reachable: no route to its network',
  ENOTFOUND: 'ClickHouse is not reachable: its host name is unknown',
  EAI_AGAIN: 'ClickHouse is not reachable: its host name cannot be resolved now',
  EPIPE: 'ClickHouse closed the connection',
  ETIMEDOUT: 'ClickHouse is not reachable: it does not answer',
};

function connectionError(error: unknown): ElasticsearchError {
  const { code, message } = error as { readonly code?: unknown; readonly message?: unknown };
  const reason = typeof code === 'string' ? connectionReasons[code] : undefined;
  if (reason !== undefined) return storeUnavailable(reason, error);
  const text = typeof message === 'string' ? message : '';
  if (text.startsWith('Timeout error'))
    return timeLimitExceeded('ClickHouse did not answer within the time limit', error);
  if (/socket hang up|stream.*premature|Premature close/i.test(text))
    return storeUnavailable('ClickHouse closed the connection', error);
  if (/Field value too long|URI/i.test(text))
    return illegalArgument('a value of the search is too long for ClickHouse', error);
  if (typeof code === 'string' && isUntrusted(code))
    return storeUnavailable(`ClickHouse cannot be trusted: [${code}]`, error);
  return internalError(
    'the answer of ClickHouse could not be read: see the log of the gateway',
    error,
  );
}
