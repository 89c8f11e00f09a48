import {
  ClickHouseLogLevel,
  type ClickHouseClient,
  type ClickHouseSettings,
  createClient,
} from '@clickhouse/client';
import { internalError } from '../../common/errors/catalogue';
import { type CompiledStatement, typedText } from '../sql/compile';
import type { SqlValue } from '../sql/nodes';
import { RequestAborted, asClickHouseFailure, toElasticsearchError } from './errors';
import type {
  ExecutionContext,
  Executor,
  ResultSet,
  ResultStream,
  Row,
  StatementSummary,
} from './executor';
import { documentSettings, statementSettings } from './settings';

export interface ExecutorOptions {
  /** `http://host:8123` or https; user and password do not stand in it. */
  readonly url: string;
  readonly user?: string;
  readonly pass?: string;
  readonly database?: string;
  /** Limit of one statement in s, enforced by ClickHouse; default 30. */
  readonly maxExecutionSeconds?: number;
  /** Connections kept open at most; default 32. */
  readonly maxConnections?: number;
  /** Whether ClickHouse compresses its answers with gzip: for a slow network only. Default false. */
  readonly compression?: boolean;
  /** More settings for every statement, such as `max_threads`. */
  readonly settings?: Readonly<Record<string, string | number>>;
}

export interface ClickHouseExecutor extends Executor {
  /** Resolves when ClickHouse answers and accepts the user; else an `ElasticsearchError` that says why. */
  ping(): Promise<void>;
  /** Closes the connections; running statements fail. */
  close(): Promise<void>;
}

/** The time ClickHouse has for its own error before the connection is given up. */
const graceMs = 5000;

/**
 * An executor over HTTP. Every statement runs readonly: that keeps writes out, and ClickHouse cancels
 * a statement whose client is gone only when it is readonly. A profile that is readonly already (1 or
 * 2) may not change that setting, so it is sent only for users whose profile is not, asked once.
 */
export function createExecutor(options: ExecutorOptions): ClickHouseExecutor {
  const seconds = options.maxExecutionSeconds ?? 30;
  const client = connect(options, seconds);
  const settings: ClickHouseSettings = {
    ...statementSettings,
    max_execution_time: seconds,
    ...options.settings,
  };
  const readonlySettings = readonlyDetection(client);

  const run: Run = async (format, statement, { signal, comment }) => {
    signal.throwIfAborted();
    const readonly = await readonlySettings.get();
    return query(client, {
      ...request(statement),
      format,
      abort_signal: signal,
      clickhouse_settings: {
        ...settings,
        ...(format === 'JSONEachRow' && documentSettings),
        ...readonly,
        log_comment: comment,
      },
    });
  };
  const failed = (error: unknown, signal: AbortSignal): Error => {
    if (signal.aborted) return new RequestAborted(error);
    if (asClickHouseFailure(error)?.code === readonlyViolation) readonlySettings.forget();
    return toElasticsearchError(error);
  };

  return {
    async rows(statement, context): Promise<ResultSet> {
      try {
        const result = await run('JSONCompactEachRow', statement, context);
        return {
          rows: parseRows(await result.text()),
          summary: readSummary(result.response_headers['x-clickhouse-summary']),
        };
      } catch (error) {
        throw failed(error, context.signal);
      }
    },
    async lines(statement, context): Promise<ResultStream> {
      try {
        const result = await run('JSONEachRow', statement, context);
        const batches = result.stream();
        return {
          lines: readLines(batches, (error) => failed(error, context.signal)),
          summary: readSummary(result.response_headers['x-clickhouse-summary']),
        };
      } catch (error) {
        throw failed(error, context.signal);
      }
    },
    async ping(): Promise<void> {
      const result = await client.ping({ select: true });
      if (!result.success) throw toElasticsearchError(result.error);
    },
    close: () => client.close(),
  };
}

function connect(options: ExecutorOptions, seconds: number): ClickHouseClient {
  return createClient({
    url: options.url,
    ...(options.user !== undefined && { username: options.user }),
    ...(options.pass !== undefined && { password: options.pass }),
    ...(options.database !== undefined && { database: options.database }),
    application: 'kibana-clickhouse',
    request_timeout: seconds * 1000 + graceMs,
    max_open_connections: options.maxConnections ?? 32,
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

type Run = (
  format: 'JSONCompactEachRow' | 'JSONEachRow',
  statement: CompiledStatement,
  context: ExecutionContext,
) => ReturnType<typeof query>;

const query = (
  client: ClickHouseClient,
  params: Parameters<typeof client.query<'JSONCompactEachRow' | 'JSONEachRow'>>[0],
): Promise<{
  readonly response_headers: Readonly<Record<string, string | string[] | undefined>>;
  text(): Promise<string>;
  stream(): AsyncIterable<readonly { readonly text: string }[]>;
}> => client.query(params);

/** ClickHouse's code READONLY: the profile has become readonly since it was asked for. */
const readonlyViolation = 164;

interface ReadonlyDetection {
  get(): Promise<ClickHouseSettings>;
  forget(): void;
}

/** `getSetting` needs no grant: it tells the profile's value in every installation. */
function readonlyDetection(client: ClickHouseClient): ReadonlyDetection {
  let known: Promise<ClickHouseSettings> | undefined;
  const ask = async (): Promise<ClickHouseSettings> => {
    const result = await client.query({
      query: "SELECT toString(getSetting('readonly'))",
      format: 'JSONCompactEachRow',
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
