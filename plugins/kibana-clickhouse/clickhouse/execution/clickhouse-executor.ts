import {
  ClickHouseLogLevel,
  type ClickHouseClient,
  type ClickHouseSettings,
  createClient,
} from '@clickhouse/client';
import { internalError, timeLimitExceeded } from '../../common/errors/catalogue';
import { type CompiledStatement, typedText } from '../sql/compile';
import type { SqlValue } from '../sql/nodes';
import { type TlsOptions, connectingAgent } from './connecting-agent';
import { RequestAborted, asClickHouseFailure, toElasticsearchError } from './errors';
import type {
  ExecutionContext,
  Executor,
  ResultSet,
  ResultStream,
  Row,
  StatementSummary,
} from './executor';
import { documentSettings, limitSettings, statementSettings } from './settings';

export interface ExecutorOptions {
  /** `http://host:8123` or https; user and password do not stand in it. */
  readonly url: string;
  readonly user?: string;
  readonly pass?: string;
  readonly database?: string;
  /** Of an https address. With a certificate and without a password the user is known by the certificate. */
  readonly tls?: TlsOptions;
  /** The role that every statement runs with; it must be granted to the user. */
  readonly role?: string;
  /** Limit in s, enforced by ClickHouse, of a statement whose context has none; default 30. */
  readonly maxExecutionSeconds?: number;
  /** Connections open at most; more statements wait for one; default 32. */
  readonly maxConnections?: number;
  /** Whether ClickHouse compresses its answers with gzip: for a slow network only. Default false. */
  readonly compression?: boolean;
  /** More settings for every statement, such as `max_threads`. */
  readonly settings?: Readonly<Record<string, string | number>>;
}

export interface ClickHouseExecutor extends Executor {
  /**
   * Resolves when ClickHouse answers and accepts the user, with what is wrong with others of several servers; else an
   * `ElasticsearchError` that says why.
   */
  ping(): Promise<readonly string[]>;
  /** Closes the connections; running statements fail. */
  close(): Promise<void>;
}

/** The time ClickHouse has for its own error before the connection is given up. */
const graceMs = 5000;
/** The longest time that a connection may be silent; statements have deadlines of their own. */
const longestSilenceMs = 3_600_000 + 2 * graceMs;

/**
 * An executor over HTTP. Every statement runs readonly: that keeps writes out, and ClickHouse cancels
 * a statement whose client is gone only when it is readonly. A profile that is readonly already (1 or
 * 2) may not change that setting, so it is sent only for users whose profile is not, asked once.
 */
export function createExecutor(options: ExecutorOptions): ClickHouseExecutor {
  const defaultMs = (options.maxExecutionSeconds ?? 30) * 1000;
  const client = connect(options);
  const readonlySettings = readonlyDetection(client, defaultMs + graceMs);
  const execute = async <R>(
    format: Format,
    statement: CompiledStatement,
    context: ExecutionContext,
    read: (result: QueryResult, failed: (error: unknown) => Error) => R | Promise<R>,
  ): Promise<R> => {
    const limits = {
      ...context.limits,
      maxExecutionMs: context.limits?.maxExecutionMs ?? defaultMs,
    };
    const deadline = startDeadline(limits.maxExecutionMs + graceMs);
    const failed = (error: unknown): Error => {
      if (context.signal.aborted) return new RequestAborted(error);
      if (deadline.signal.aborted)
        return timeLimitExceeded('ClickHouse did not answer within the time limit', error);
      if (asClickHouseFailure(error)?.code === readonlyViolation) readonlySettings.forget();
      return toElasticsearchError(error, limits);
    };
    try {
      context.signal.throwIfAborted();
      const readonly = await readonlySettings.get();
      const result = await query(client, {
        ...request(statement),
        format,
        abort_signal: AbortSignal.any([context.signal, deadline.signal]),
        clickhouse_settings: {
          ...statementSettings,
          ...limitSettings(limits),
          ...options.settings,
          ...(format === 'JSONEachRow' && documentSettings),
          ...readonly,
          log_comment: context.comment,
        },
      });
      return await read(result, failed);
    } catch (error) {
      throw failed(error);
    } finally {
      deadline.stop();
    }
  };
  return {
    origin: originOf(options),
    rows: (statement, context) => execute('JSONCompactEachRow', statement, context, readSet),
    lines: (statement, context) => execute('JSONEachRow', statement, context, readStream),
    async ping(): Promise<readonly string[]> {
      const abort_signal = AbortSignal.timeout(defaultMs + graceMs);
      const result = await client.ping({ select: true, abort_signal });
      if (!result.success) throw toElasticsearchError(result.error);
      return [];
    },
    close: () => client.close(),
  };
}

/** Who sees the same: a role may hide rows. */
const originOf = ({ url, user = '', database = '', role }: ExecutorOptions): string =>
  JSON.stringify([url, user, database, ...(role === undefined ? [] : [role])]);

const summaryOf = (result: QueryResult): StatementSummary =>
  readSummary(result.response_headers['x-clickhouse-summary']);

const readSet = async (result: QueryResult): Promise<ResultSet> => ({
  rows: parseRows(await result.text()),
  summary: summaryOf(result),
});

const readStream = (result: QueryResult, failed: (error: unknown) => Error): ResultStream => ({
  lines: readLines(result.stream(), failed),
  summary: summaryOf(result),
});

/** Ends a statement that ClickHouse itself has not ended at its limit. */
function startDeadline(ms: number): { readonly signal: AbortSignal; readonly stop: () => void } {
  const controller = new AbortController();
  const timer = setTimeout(() => {
    controller.abort();
  }, ms);
  return {
    signal: controller.signal,
    stop: () => {
      clearTimeout(timer);
    },
  };
}

/** ClickHouse refuses a certificate and a password at once. */
const isKnownByCertificate = ({ tls, pass = '' }: ExecutorOptions): boolean =>
  tls?.certificate !== undefined && pass === '';

function connect(options: ExecutorOptions): ClickHouseClient {
  const { tls, maxConnections = 32 } = options;
  return createClient({
    url: options.url,
    ...(options.user !== undefined && { username: options.user }),
    ...(options.pass !== undefined && { password: options.pass }),
    ...(options.database !== undefined && { database: options.database }),
    ...(options.role !== undefined && { role: options.role }),
    application: 'kibana-clickhouse',
    request_timeout: longestSilenceMs,
    max_open_connections: maxConnections,
    http_agent: connectingAgent(options.url, { maxConnections, ...(tls && { tls }) }),
    ...(isKnownByCertificate(options) && {
      set_basic_auth_header: false,
      http_headers: {
        'X-ClickHouse-User': options.user ?? 'default',
        'X-ClickHouse-SSL-Certificate-Auth': 'on',
      },
    }),
    compression: { request: false, response: options.compression ?? false },
    keep_alive: { enabled: true },
    // its own log prints failed statements with their parameters
    log: { level: ClickHouseLogLevel.OFF },
  });
}

/** What ClickHouse reads of one request's URL: 1024 fields, 128 KiB each, 1 MiB in all. */
const maximumParameters = 900;
const maximumParameterBytes = 100_000;

/**
 * Values travel as parameters; where they are too many or too long for a URL, the literal writer puts
 * them into the statement, with their types.
 */
function request({ sql, parameters, select }: CompiledStatement): {
  readonly query: string;
  readonly query_params?: Record<string, unknown>;
} {
  const values = Object.values(parameters);
  const size = values.reduce<number>((sum, value) => sum + sizeOf(value), 0);
  const fits = values.length <= maximumParameters && size <= maximumParameterBytes;
  return fits ? { query: sql, query_params: parameters } : { query: typedText(select) };
}

/** Bytes at most, as the URL spells them. */
function sizeOf(value: SqlValue): number {
  if (typeof value === 'string') return 3 * Buffer.byteLength(value);
  if (typeof value !== 'object' || value === null) return 24;
  return value.reduce<number>((sum, item) => sum + sizeOf(item) + 3, 0);
}

type Format = 'JSONCompactEachRow' | 'JSONEachRow';

interface QueryResult {
  readonly response_headers: Readonly<Record<string, string | string[] | undefined>>;
  text(): Promise<string>;
  stream(): AsyncIterable<readonly { readonly text: string }[]>;
}

const query = (
  client: ClickHouseClient,
  params: Parameters<typeof client.query<Format>>[0],
): Promise<QueryResult> => client.query(params);

/** ClickHouse's code READONLY: the profile has become readonly since it was asked for. */
const readonlyViolation = 164;

interface ReadonlyDetection {
  get(): Promise<ClickHouseSettings>;
  forget(): void;
}

/** `getSetting` needs no grant: it tells the profile's value in every installation. */
function readonlyDetection(client: ClickHouseClient, limitMs: number): ReadonlyDetection {
  let known: Promise<ClickHouseSettings> | undefined;
  const ask = async (): Promise<ClickHouseSettings> => {
    const result = await client.query({
      query: "SELECT toString(getSetting('readonly'))",
      format: 'JSONCompactEachRow',
      abort_signal: AbortSignal.timeout(limitMs),
    });
    const [row] = parseRows(await result.text());
    return row?.[0] === '0' ? { readonly: '1' } : {};
  };
  return {
    get: () => {
      known ??= ask().catch((error: unknown) => {
        known = undefined;
        throw error;
      });
      return known;
    },
    forget: () => {
      known = undefined;
    },
  };
}

const parseRows = (text: string): readonly Row[] =>
  // rows are lines of arrays without line feeds inside: one JSON array of all of them parses faster
  JSON.parse(`[${text.trimEnd().replaceAll('\n', ',')}]`) as Row[];

function readSummary(header: string | string[] | undefined): StatementSummary {
  const summary = JSON.parse(typeof header === 'string' ? header : '{}') as Readonly<
    Record<string, string>
  >;
  const read = (key: string): number => Number(summary[key] ?? 0);
  return {
    readRows: read('read_rows'),
    readBytes: read('read_bytes'),
    resultRows: read('result_rows'),
    memoryBytes: read('memory_usage'),
    elapsedMs: read('elapsed_ns') / 1e6,
  };
}

/** Hands the lines on; a failure in their midst is thrown, also by servers before 25.11 that write it as text. */
async function* readLines(
  batches: AsyncIterable<readonly { readonly text: string }[]>,
  failed: (error: unknown) => Error,
): AsyncGenerator<readonly string[]> {
  try {
    for await (const batch of batches) {
      const lines = batch.map(({ text }) => text);
      if (lines.some((line) => !line.startsWith('{')))
        throw internalError('ClickHouse failed in the middle of its answer');
      yield lines;
    }
  } catch (error) {
    throw failed(error);
  }
}
