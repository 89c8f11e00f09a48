import { compileSelect } from '../../clickhouse/sql/compile';
import {
  contentParseError,
  illegalArgument,
  parseError,
  parsingError,
  validationError,
} from '../../common/errors/catalogue';
import { isJsonArray, isJsonObject, type JsonObject, type JsonValue } from '../../common/json/json';
import { parseTimeValue } from '../../common/time/time-value';
import { parseQuery } from '../../search/queries/registry';
import { splitCondition } from '../../search/queries/split-time-range';
import { toBoolean, toInteger, tokenName } from '../../search/request/coerce';
import { commonParameters, indicesParameters } from '../../search/request/url-parameters';
import { planTermsEnum, type TermsEnumRequest } from '../../search/terms-enum';
import { stringOf } from '../../search/values/field-value';
import { statementLimits } from '../execution/query-limits';
import { withinTimeout } from '../execution/search-deadline';
import type { Runtime } from '../runtime';
import { executionOf, optionalJson, planContext } from '../search-index';
import type { GatewayRequest } from './definition';
import { type AnswerFor, filtered, onIndexes } from './on-indexes';

interface Asked extends TermsEnumRequest {
  /** Which documents are looked at; absent: all. */
  readonly filter?: JsonValue;
  /** ms; absent: no limit of the request's own. */
  readonly timeoutMs?: number;
}

/**
 * `GET|POST /{index}/_terms_enum`: terms of a keyword that start with some letters, for completion. `index_filter` is
 * applied to the documents, where Elasticsearch leaves out whole indexes by it: terms that no document of the time range
 * has are not offered. Its clauses on `_tier` say nothing about a table. A time limit is an error, never `complete: false`.
 */
export const handler = onIndexes(
  [...commonParameters, ...indicesParameters],
  (names, request, runtime) => enumerate(names, request, runtime),
  'read',
);

const enumerate: AnswerFor = async (names, request, runtime) => {
  const asked = readAsked(request);
  const lists = await Promise.all(names.map((index) => termsOf(index, asked, request, runtime)));
  const shards = { total: names.length, successful: names.length, failed: 0 };
  const terms = merged(lists).slice(0, asked.size);
  return filtered(request, { _shards: shards, terms, complete: true });
};

/** In the order of bytes, as the lists are. */
const merged = (lists: readonly (readonly string[])[]): readonly string[] =>
  lists.length === 1
    ? (lists[0] ?? [])
    : [...new Set(lists.flat())].sort((a, b) => Buffer.compare(Buffer.from(a), Buffer.from(b)));

async function termsOf(
  index: string,
  { filter, timeoutMs, ...asked }: Asked,
  request: GatewayRequest,
  runtime: Runtime,
): Promise<readonly string[]> {
  const context = await planContext(index, runtime, Date.now());
  const query = filter === undefined ? undefined : parseQuery(filter);
  const select = planTermsEnum(asked, context.table, splitCondition(query, context));
  if (select === undefined) return [];
  const limits = statementLimits(runtime.settings.current(), index, timeoutMs);
  const { rows } = await withinTimeout(timeoutMs, request.signal, (signal) =>
    runtime.executor.rows(compileSelect(select), {
      ...executionOf({ index }, request),
      signal,
      limits,
    }),
  );
  return rows.map(([term]) => (typeof term === 'string' ? term : ''));
}

const keys: readonly string[] = [
  ...['case_insensitive', 'field', 'index_filter', 'search_after', 'size', 'string', 'timeout'],
];

const MAX_TIMEOUT_MS = 60_000;
const DEFAULT_SIZE = 10;
const MAX_SIZE = 10_000;

function readAsked({ body }: GatewayRequest): Asked {
  const content = optionalJson(body);
  if (content === undefined) throw parseError('request body is required');
  if (!isJsonObject(content))
    throw parsingError(`Expected [START_OBJECT] but found [${tokenName(content)}]`);
  const unknown = Object.keys(content).find((key) => !keys.includes(key));
  if (unknown !== undefined)
    throw contentParseError(`[terms_enum_request] unknown field [${unknown}]`);
  const { field, string: prefix, search_after: after, case_insensitive: folds } = content;
  if (typeof field !== 'string') throw validationError(['field cannot be null']);
  return {
    field,
    prefix: prefix === undefined || prefix === null ? '' : textOf('string', prefix),
    caseInsensitive: folds === undefined ? false : toBoolean(folds, 'case_insensitive'),
    ...(after !== undefined && after !== null && { searchAfter: textOf('search_after', after) }),
    ...readFilter(content),
    ...readLimits(content),
  };
}

function textOf(key: string, value: JsonValue): string {
  if (value !== null && typeof value !== 'object') return stringOf(value);
  throw contentParseError(
    `[terms_enum_request] ${key} doesn't support values of type: ${tokenName(value)}`,
  );
}

function readLimits({ size, timeout }: JsonObject): Pick<Asked, 'size' | 'timeoutMs'> {
  const asked = size === undefined ? DEFAULT_SIZE : toInteger(size, 'size');
  if (asked < 1 || asked > MAX_SIZE)
    throw illegalArgument(
      `[size] must be between 1 and ${String(MAX_SIZE)} but was [${String(asked)}]`,
    );
  if (timeout === undefined) return { size: asked };
  const limit = parseTimeValue(textOf('timeout', timeout), 'timeout');
  if (limit > MAX_TIMEOUT_MS) throw validationError(['Timeout cannot be > 1 minute']);
  return { size: asked, timeoutMs: Math.max(1, limit) };
}

/** Without the clauses on the tier of an index's data. */
function readFilter({ index_filter: filter }: JsonObject): Pick<Asked, 'filter'> {
  const left = filter === undefined ? undefined : withoutTier(filter);
  return left === undefined ? {} : { filter: left };
}

function withoutTier(clause: JsonValue): JsonValue | undefined {
  if (isJsonArray(clause)) return clause.flatMap((one) => withoutTier(one) ?? []);
  if (!isJsonObject(clause)) return clause;
  if (isOnTier(clause['terms']) || isOnTier(clause['term'])) return undefined;
  const { bool } = clause;
  if (!isJsonObject(bool)) return clause;
  const left = Object.entries(bool).map(([key, value]) => [
    key,
    requiring.includes(key) ? (withoutTier(value) ?? []) : value,
  ]);
  return { ...clause, bool: Object.fromEntries(left) as JsonObject };
}

/** Where a clause must hold: leaving it out takes nothing else away. */
const requiring: readonly string[] = ['must', 'filter'];

const isOnTier = (clause: JsonValue | undefined): boolean =>
  isJsonObject(clause) && '_tier' in clause;
