import type { JsonObject, JsonValue } from '../json/json';

/** The exception names Elasticsearch itself uses; clients branch on them. */
export type ErrorType =
  | 'action_request_validation_exception'
  | 'aggregation_execution_exception'
  | 'aggregation_initialization_exception'
  | 'circuit_breaking_exception'
  | 'es_rejected_execution_exception'
  | 'exception'
  | 'illegal_argument_exception'
  | 'index_not_found_exception'
  | 'json_e_o_f_exception'
  | 'json_parse_exception'
  | 'mapper_parsing_exception'
  | 'no_shard_available_action_exception'
  | 'number_format_exception'
  | 'parse_exception'
  | 'parsing_exception'
  | 'query_shard_exception'
  | 'resource_not_found_exception'
  | 'script_exception'
  | 'search_context_missing_exception'
  | 'security_exception'
  | 'timeout_exception'
  | 'too_many_buckets_exception'
  | 'version_conflict_engine_exception'
  | 'x_content_parse_exception';

/**
 * An exception behind an error. Java's own names stand beside Elasticsearch's; Lucene's ParseException is written
 * `parse_exception`, as Elasticsearch's own is.
 */
export interface ErrorCause {
  readonly type:
    | ErrorType
    | 'arithmetic_exception'
    | 'class_cast_exception'
    | 'date_time_parse_exception'
    | 'illegal_state_exception'
    | 'lucene_parse_exception'
    | 'named_object_not_found_exception'
    | 'null_pointer_exception'
    | 'query_validation_exception'
    | 'token_mgr_error'
    | 'too_many_clauses'
    | 'zone_rules_exception';
  readonly reason: string;
}

export type ErrorPhase = 'reduce' | 'request' | 'shard';

interface ErrorOptions {
  /** HTTP status. */
  readonly status: number;
  readonly type: ErrorType;
  readonly reason: string;
  /** More keys of the error object, such as `line` and `col`, or `index`. */
  readonly detail?: JsonObject;
  /** The exceptions behind it, each the cause of the one before: `caused_by`. */
  readonly causes?: readonly ErrorCause[];
  /**
   * `request`: Elasticsearch finds it while it reads the request and answers it as it is. `shard`: found while a shard
   * searches, and answered as the reason why all shards failed. `reduce`: found while the shards' answers are put
   * together (`search_phase_execution_exception` of Elasticsearch 7.17).
   */
  readonly phase?: ErrorPhase;
  /** What went wrong below, for the log. */
  readonly cause?: unknown;
}

/** An error that reaches the client as an Elasticsearch error body. Only the catalogue makes them. */
export class ElasticsearchError extends Error {
  readonly status: number;
  readonly type: ErrorType;
  readonly phase: ErrorPhase;
  readonly detail: JsonObject;
  readonly causes: readonly ErrorCause[];

  constructor({
    status,
    type,
    reason,
    detail = {},
    causes = [],
    phase = 'request',
    cause,
  }: ErrorOptions) {
    super(reason, { cause });
    this.name = 'ElasticsearchError';
    this.status = status;
    this.type = type;
    this.phase = phase;
    this.detail = detail;
    this.causes = causes;
  }

  /** The body as Elasticsearch writes it. `index` names the failed shard's index for errors of a shard. */
  toBody(index = ''): JsonObject {
    const own = { ...this.detail, type: this.type, reason: this.message };
    const chain = [own, ...this.causes.map(({ type, reason }) => ({ type, reason }))];
    return { error: bodies[this.phase](chain, index), status: this.status };
  }
}

/** An exception as Elasticsearch writes it, without its cause. */
type Link = ErrorCause & Readonly<Record<string, JsonValue>>;

const nested = ([first, ...causes]: readonly Link[]): JsonObject => ({
  ...first,
  ...(first?.type === 'lucene_parse_exception' && { type: 'parse_exception' }),
  ...(causes.length > 0 && { caused_by: nested(causes) }),
});

/** Exceptions of Java, which Elasticsearch knows nothing about; all others are its own. */
const javaTypes: ReadonlySet<string> = new Set<ErrorCause['type']>([
  'date_time_parse_exception',
  'illegal_argument_exception',
  'illegal_state_exception',
  'lucene_parse_exception',
  'named_object_not_found_exception',
  'number_format_exception',
  'query_validation_exception',
  'token_mgr_error',
  'too_many_clauses',
  'zone_rules_exception',
]);

/** The place of the root cause in a chain (`ElasticsearchException.guessRootCauses`, 7.17). */
function rootPlace(chain: readonly Link[], place = 0): number {
  const [type, cause] = [chain[place]?.type, chain[place + 1]?.type];
  if (type === undefined || cause === undefined || javaTypes.has(type) || javaTypes.has(cause))
    return place;
  // only a parser's exception looks into another parser's
  const looksInto = cause !== 'x_content_parse_exception' || type === 'x_content_parse_exception';
  return looksInto ? rootPlace(chain, place + 1) : place;
}

type WriteBody = (chain: readonly Link[], index: string) => JsonObject;

const requestBody: WriteBody = (chain) => ({
  root_cause: chain.slice(rootPlace(chain)).slice(0, 1),
  ...nested(chain),
});

const shardBody: WriteBody = (given, index) => {
  const chain = given.map((link) =>
    link.type === 'query_shard_exception' ? { ...link, index } : link,
  );
  const root = chain.slice(rootPlace(chain));
  return {
    root_cause: root.slice(0, 1),
    type: 'search_phase_execution_exception',
    reason: 'all shards failed',
    phase: 'query',
    grouped: true,
    failed_shards: [{ shard: 0, index, node: 'clickhouse', reason: nested(chain) }],
    ...outerCause(root, chain),
  };
};

/** The root cause again, unless it is the shard's exception itself; Java's are wrapped and so stand twice. */
function outerCause(root: readonly Link[], chain: readonly Link[]): JsonObject {
  const isJavas = javaTypes.has(root[0]?.type ?? '');
  if (isJavas) return { caused_by: nested([...root.slice(0, 1), ...root]) };
  return root.length === chain.length ? {} : { caused_by: nested(root) };
}

const reduceBody: WriteBody = (chain) => ({
  root_cause: [],
  type: 'search_phase_execution_exception',
  reason: '',
  phase: 'fetch',
  grouped: true,
  failed_shards: [],
  caused_by: nested(chain),
});

const bodies: Readonly<Record<ErrorPhase, WriteBody>> = {
  request: requestBody,
  shard: shardBody,
  reduce: reduceBody,
};
