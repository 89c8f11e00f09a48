import { ElasticsearchError, type ErrorCause } from './elasticsearch-error';

/*
 * Every error the gateway can answer. Words and status are Elasticsearch's own where it has the case;
 * reasons start in lower case and end without a full stop, except where Elasticsearch writes otherwise.
 */

/** 400: a clause, option or structure that Elasticsearch's own parser would refuse. */
export const parsingError = (
  reason: string,
  causes: readonly ErrorCause[] = [],
): ElasticsearchError =>
  new ElasticsearchError({ status: 400, type: 'parsing_exception', reason, causes });

/** 400: a name of a clause or an aggregation that nothing goes by. */
export const unknownName = (reason: string, name: string): ElasticsearchError =>
  parsingError(reason, [
    { type: 'named_object_not_found_exception', reason: `unknown field [${name}]` },
  ]);

/** 400: an unknown field of an object that Elasticsearch parses by declared fields. */
export const contentParseError = (
  reason: string,
  causes: readonly ErrorCause[] = [],
): ElasticsearchError =>
  new ElasticsearchError({ status: 400, type: 'x_content_parse_exception', reason, causes });

/** 400: a field that a request defines, but not as one can be. */
export const mapperParsing = (reason: string): ElasticsearchError =>
  new ElasticsearchError({ status: 400, type: 'mapper_parsing_exception', reason });

/** 400: a request that lacks what its endpoint needs, or has it in the wrong form. */
export const parseError = (
  reason: string,
  causes: readonly ErrorCause[] = [],
): ElasticsearchError =>
  new ElasticsearchError({ status: 400, type: 'parse_exception', reason, causes });

/** 413: a body above `http.max_content_length` (Elasticsearch's default: 100 MiB). */
export const bodyTooLarge = (reason: string): ElasticsearchError =>
  new ElasticsearchError({ status: 413, type: 'illegal_argument_exception', reason });

/** 400: a value that cannot be, whatever the index. */
export const illegalArgument = (reason: string, cause?: unknown): ElasticsearchError =>
  new ElasticsearchError({ status: 400, type: 'illegal_argument_exception', reason, cause });

/** The same, where Elasticsearch shows Java's exception behind it. */
export const argumentCausedBy = (reason: string, cause: ErrorCause): ElasticsearchError =>
  new ElasticsearchError({
    status: 400,
    type: 'illegal_argument_exception',
    reason,
    causes: [cause],
  });

/** 400: text that should be a number. */
export const numberFormatError = (reason: string): ElasticsearchError =>
  new ElasticsearchError({ status: 400, type: 'number_format_exception', reason });

const refusal = '[kibana-clickhouse] unsupported: ';

/** 400: Elasticsearch knows it, the gateway does not: refused, never approximated. */
export const unsupported = (what: string): ElasticsearchError =>
  illegalArgument(`${refusal}${what}`);

/** Whether an error is a refusal of the gateway's own, which Elasticsearch would not have. */
export const isUnsupported = ({ message }: ElasticsearchError): boolean =>
  message.startsWith(refusal);

/** 400 of a shard: what does not fit the index. */
export const queryShardError = (
  reason: string,
  causes: readonly ErrorCause[] = [],
): ElasticsearchError =>
  new ElasticsearchError({
    status: 400,
    type: 'query_shard_exception',
    reason,
    causes,
    phase: 'shard',
  });

/** 400 of a shard: a value that does not fit the field it is compared with. */
export const failedQuery = (
  reason: string,
  type: ErrorCause['type'] = 'illegal_argument_exception',
): ElasticsearchError => queryShardError(`failed to create query: ${reason}`, [{ type, reason }]);

/** 400 of a shard: an argument that the field's type does not allow. */
export const shardIllegalArgument = (
  reason: string,
  causes: readonly ErrorCause[] = [],
): ElasticsearchError =>
  new ElasticsearchError({
    status: 400,
    type: 'illegal_argument_exception',
    reason,
    causes,
    phase: 'shard',
  });

/** 400 of a shard: text that should be a number. */
export const shardNumberFormat = (reason: string): ElasticsearchError =>
  new ElasticsearchError({
    status: 400,
    type: 'number_format_exception',
    reason,
    phase: 'shard',
  });

/** 400 of a shard: text that is no date in the formats allowed. */
export const dateParseError = (
  reason: string,
  causes: readonly ErrorCause[] = [],
): ElasticsearchError =>
  new ElasticsearchError({ status: 400, type: 'parse_exception', reason, causes, phase: 'shard' });

/** 400 of a shard: a definition of a field that is none. */
export const mapperParsingError = (reason: string): ElasticsearchError =>
  new ElasticsearchError({
    status: 400,
    type: 'mapper_parsing_exception',
    reason,
    phase: 'shard',
  });

/** The same error, found by a shard instead of while the request was read. */
export const ofShard = ({
  status,
  type,
  message,
  causes,
}: ElasticsearchError): ElasticsearchError =>
  new ElasticsearchError({ status, type, reason: message, causes, phase: 'shard' });

/** 400: the request is complete but breaks a rule between its parts. */
export const validationError = (problems: readonly string[]): ElasticsearchError =>
  new ElasticsearchError({
    status: 400,
    type: 'action_request_validation_exception',
    reason: `Validation Failed: ${problems.map((problem, i) => `${String(i + 1)}: ${problem};`).join('')}`,
  });

/** 400: the body is not JSON (`json_e_o_f_exception` when it only ends too early). */
export const jsonError = (
  reason: string,
  position: { readonly line: number; readonly col: number; readonly truncated: boolean },
): ElasticsearchError =>
  new ElasticsearchError({
    status: 400,
    type: position.truncated ? 'json_e_o_f_exception' : 'json_parse_exception',
    reason,
    detail: { line: position.line, col: position.col },
  });

/** 404: no such index, or no such table behind a whitelisted name. */
export const indexNotFound = (index: string, hint?: string): ElasticsearchError =>
  new ElasticsearchError({
    status: 404,
    type: 'index_not_found_exception',
    reason: hint === undefined ? `no such index [${index}]` : `no such index [${index}]: ${hint}`,
    detail: {
      'resource.type': 'index_or_alias',
      'resource.id': index,
      index_uuid: '_na_',
      index,
    },
  });

/** 409: a document is asked for in another version than the one there is. */
export const versionConflict = ({
  index,
  id,
  version,
}: {
  readonly index: string;
  readonly id: string;
  readonly version: number;
}): ElasticsearchError =>
  new ElasticsearchError({
    status: 409,
    type: 'version_conflict_engine_exception',
    reason: `[${id}]: version conflict, current version [1] is different than the one provided [${String(version)}]`,
    detail: { index_uuid: '_na_', shard: '0', index },
  });

/** 400: more buckets than `search.max_buckets` (65,536) would be answered. */
export const tooManyBuckets = (limit: number): ElasticsearchError =>
  new ElasticsearchError({
    status: 400,
    type: 'too_many_buckets_exception',
    reason: `Trying to create too many buckets. Must be less than or equal to: [${String(limit)}] but this number of buckets was exceeded. This limit can be set by changing the [search.max_buckets] cluster level setting.`,
    detail: { max_buckets: limit },
    phase: 'reduce',
  });

/** 400 of a shard: an order path that no aggregation below fulfils. Elasticsearch 7.17 answers 500 to this mistake of the caller. */
export const invalidOrderPath = (path: string, why: string): ElasticsearchError =>
  new ElasticsearchError({
    status: 400,
    type: 'aggregation_execution_exception',
    reason: `Invalid aggregation order path [${path}]. ${why}`,
    causes: [{ type: 'illegal_argument_exception', reason: why }],
    phase: 'shard',
  });

/** 400 of a shard: an aggregation that cannot stand where it is. Elasticsearch 7.17 answers 500 to this mistake of the caller. */
export const aggregationExecution = (reason: string): ElasticsearchError =>
  new ElasticsearchError({
    status: 400,
    type: 'aggregation_execution_exception',
    reason,
    phase: 'shard',
  });

/**
 * 400: a buckets path to what is no number, or in no form. Elasticsearch 7.17 answers 500 to this mistake of the caller, when
 * it puts the answers of shards together.
 */
export const bucketsPathError = (
  reason: string,
  phase: 'reduce' | 'request' = 'reduce',
): ElasticsearchError =>
  new ElasticsearchError({ status: 400, type: 'aggregation_execution_exception', reason, phase });

/** 400: an argument that Elasticsearch reads only when it puts the answers of shards together. */
export const reduceArgument = (reason: string): ElasticsearchError =>
  new ElasticsearchError({
    status: 400,
    type: 'illegal_argument_exception',
    reason,
    phase: 'reduce',
  });

/** 400: a script that cannot be run on these values. The script itself is in the answer, as Elasticsearch has it. */
export const scriptError = (
  reason: 'compile error' | 'runtime error',
  cause: ErrorCause,
  { script, lang }: { readonly script: string; readonly lang: string },
): ElasticsearchError =>
  new ElasticsearchError({
    status: 400,
    type: 'script_exception',
    reason,
    causes: [cause],
    detail: { script, lang },
    phase: 'reduce',
  });

/** 500, as Elasticsearch 7.17: sub-aggregations where none can be. */
export const aggregationInitialization = (reason: string): ElasticsearchError =>
  new ElasticsearchError({ status: 500, type: 'aggregation_initialization_exception', reason });

/** 400: ClickHouse stopped at its time limit. Never a partial answer, and not retried by clients. */
export const timeLimitExceeded = (reason: string, cause?: unknown): ElasticsearchError =>
  new ElasticsearchError({
    status: 400,
    type: 'timeout_exception',
    reason,
    phase: 'shard',
    cause,
  });

/** 400: ClickHouse stopped at its memory limit. */
export const memoryLimitExceeded = (reason: string, cause?: unknown): ElasticsearchError =>
  new ElasticsearchError({
    status: 400,
    type: 'circuit_breaking_exception',
    reason,
    phase: 'shard',
    cause,
  });

/** 429: a full pool, or ClickHouse's own limit of simultaneous queries (code 202). */
export const rejectedExecution = (reason: string, cause?: unknown): ElasticsearchError =>
  new ElasticsearchError({
    status: 429,
    type: 'es_rejected_execution_exception',
    reason,
    cause,
  });

/** 503: ClickHouse (or Elasticsearch, where the answer needs it) cannot be reached or refuses us. */
export const storeUnavailable = (reason: string, cause?: unknown): ElasticsearchError =>
  new ElasticsearchError({
    status: 503,
    type: 'no_shard_available_action_exception',
    reason,
    cause,
  });

/** 502: the request belongs to Elasticsearch, and none is configured. */
export const noElasticsearch = (reason: string): ElasticsearchError =>
  new ElasticsearchError({ status: 502, type: 'no_shard_available_action_exception', reason });

/** 403: the request did not come through Kong, or the caller may not read the index. */
export const forbidden = (reason: string): ElasticsearchError =>
  new ElasticsearchError({ status: 403, type: 'security_exception', reason });

/** 400: an entry of the query blacklist forbids the search. Clients show it and do not retry. */
export const blackListed = ({
  id,
  range,
}: {
  readonly id: string;
  /** ms */
  readonly range: number;
}): ElasticsearchError =>
  illegalArgument(
    `[kibana-clickhouse] the search is on the query blacklist: entry [${id}] forbids it${range === 0 ? '' : ` over a time range of [${String(range)}] ms or more`}`,
  );

/** 400: more than a limit that the settings name. Clients show it and do not retry. */
export const beyondLimit = (reason: string, cause?: unknown): ElasticsearchError =>
  illegalArgument(`[kibana-clickhouse] ${reason}`, cause);

/** 404: a scroll or a point in time that is not there any more. */
export const searchContextMissing = (): ElasticsearchError =>
  new ElasticsearchError({
    status: 404,
    type: 'search_context_missing_exception',
    reason: 'No search context found',
    phase: 'shard',
  });

/** 404: an admin path or an entry that does not exist. */
export const resourceNotFound = (reason: string): ElasticsearchError =>
  new ElasticsearchError({ status: 404, type: 'resource_not_found_exception', reason });

/** 500: our own fault. The reason says where to look, never what the request held. */
export const internalError = (reason: string, cause?: unknown): ElasticsearchError =>
  new ElasticsearchError({ status: 500, type: 'exception', reason, cause });
