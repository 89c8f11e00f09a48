import type { JsonObject } from '../json/json';

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
  | 'no_shard_available_action_exception'
  | 'number_format_exception'
  | 'parse_exception'
  | 'parsing_exception'
  | 'query_shard_exception'
  | 'resource_not_found_exception'
  | 'security_exception'
  | 'timeout_exception'
  | 'too_many_buckets_exception'
  | 'x_content_parse_exception';

interface ErrorOptions {
  /** HTTP status. */
  readonly status: number;
  readonly type: ErrorType;
  readonly reason: string;
  /** More keys of the error object, such as `line` and `col`, or `index`. */
  readonly detail?: JsonObject;
  /**
   * `request`: Elasticsearch finds it while it reads the request and answers it as it is.
   * `shard`: found while the search runs, answered inside a `search_phase_execution_exception`
   * (`reference: Elasticsearch 7.17, "all shards failed"`).
   */
  readonly phase?: 'request' | 'shard';
  readonly cause?: unknown;
}

/** An error that reaches the client as an Elasticsearch error body. Only the catalogue makes them. */
export class ElasticsearchError extends Error {
  readonly status: number;
  readonly type: ErrorType;
  readonly phase: 'request' | 'shard';
  readonly detail: JsonObject;

  constructor({ status, type, reason, detail = {}, phase = 'request', cause }: ErrorOptions) {
    super(reason, { cause });
    this.name = 'ElasticsearchError';
    this.status = status;
    this.type = type;
    this.phase = phase;
    this.detail = detail;
  }

  /** The body as Elasticsearch writes it. `index` names the failed shard's index for errors of a shard. */
  toBody(index = ''): JsonObject {
    const entry = { type: this.type, reason: this.message, ...this.detail };
    if (this.phase === 'request')
      return { error: { root_cause: [entry], ...entry }, status: this.status };
    const located = { type: this.type, reason: this.message, index, ...this.detail };
    return {
      error: {
        root_cause: [located],
        type: 'search_phase_execution_exception',
        reason: 'all shards failed',
        phase: 'query',
        grouped: true,
        failed_shards: [{ shard: 0, index, node: 'clickhouse', reason: located }],
        caused_by: entry,
      },
      status: this.status,
    };
  }
}
