import { alwaysTrue } from '../../clickhouse/sql/build';
import {
  illegalArgument,
  parsingError,
  unknownName,
  unsupported,
} from '../../common/errors/catalogue';
import { type JsonObject, type JsonValue, isJsonArray, isJsonObject } from '../../common/json/json';
import { stringOf } from '../values/field-value';
import { type ParseQuery, type QueryNode, defineClause, unsought } from './definition';
import { checkCommonOption, clauseObject, finiteNumber } from './options';

interface FunctionScoreParams {
  /** Absent: match_all. */
  readonly query?: QueryNode;
  /** Filters of functions: they change scores alone. */
  readonly filters: readonly QueryNode[];
}

/** `{"function_score": {"query": {…}, "functions": […]}}`: the query; functions only change scores and are not computed. */
export const functionScore = defineClause<FunctionScoreParams>({
  name: 'function_score',
  parse(body, parseQuery) {
    const draft: Draft = { filters: [] };
    for (const [key, value] of Object.entries(clauseObject('function_score', body)))
      readKey(draft, key, value, parseQuery);
    return { filters: draft.filters, ...(draft.query && { query: draft.query }) };
  },
  toCondition({ query, filters }, context) {
    for (const filter of filters) filter.toCondition(unsought(context));
    return query?.toCondition(context) ?? alwaysTrue;
  },
  isNone: ({ query }, context) => query?.isNone(context) ?? false,
  required: ({ query }) => (query ? [query] : []),
});

interface Draft {
  query?: QueryNode;
  filters: readonly QueryNode[];
  /** The function that stands beside the query. */
  single?: string;
}

const functions: readonly string[] = [
  'exp',
  'field_value_factor',
  'gauss',
  'linear',
  'random_score',
  'script_score',
];

const scoreModes: readonly string[] = ['first', 'avg', 'max', 'sum', 'min', 'multiply'];
const boostModes: readonly string[] = ['multiply', 'replace', 'sum', 'avg', 'min', 'max'];

const notSupported = (key: string): Error =>
  parsingError(`failed to parse [function_score] query. field [${key}] is not supported`);

function readKey(draft: Draft, key: string, value: JsonValue, parseQuery: ParseQuery): void {
  // as in Elasticsearch 7.17
  if (value === null) return;
  if (key === 'boost' || key === '_name') checkCommonOption(key, value);
  else if (key === 'max_boost') finiteNumber(key, value);
  else if (key === 'min_score') throw unsupported('[min_score] of query [function_score]');
  else if (key === 'score_mode') requireMode(value, scoreModes, 'FunctionScoreQuery.ScoreMode');
  else if (key === 'boost_mode') requireMode(value, boostModes, 'CombineFunction');
  else if (key === 'query' && isJsonObject(value)) draft.query = parseQuery(value);
  else if (key === 'functions' && isJsonArray(value))
    draft.filters = value.flatMap((entry) => filterOf(entry, parseQuery));
  else readSingle(draft, key, value);
}

function readSingle(draft: Draft, key: string, value: JsonValue): void {
  if (key === 'weight') checkWeight(value);
  else if (!isJsonObject(value)) throw notSupported(key);
  else requireFunction(key);
  if (draft.single !== undefined)
    throw parsingError(
      `failed to parse [function_score] query. already found function [${draft.single}], now encountering [${key}]. use [functions] array if you want to define several functions.`,
    );
  draft.single = key;
}

function checkWeight(value: JsonValue): void {
  if (finiteNumber('weight', value) < 0)
    throw illegalArgument('[weight] cannot be negative for a filtering function');
}

function requireFunction(name: string): void {
  if (!functions.includes(name)) throw unknownName(`unknown query [function_score]`, name);
}

function requireMode(value: JsonValue, modes: readonly string[], type: string): void {
  const mode = stringOf(value).toLowerCase();
  if (modes.includes(mode)) return;
  const place = `org.elasticsearch.common.lucene.search.function.${type}`;
  throw illegalArgument(`No enum constant ${place}.${mode.toUpperCase()}`);
}

/** The filter of an entry in `functions`, which must have a function or a weight. */
function filterOf(entry: JsonValue, parseQuery: ParseQuery): readonly QueryNode[] {
  if (!isJsonObject(entry))
    throw parsingError(
      'failed to parse [function_score] query. malformed query, expected a [START_OBJECT] while parsing functions',
    );
  const { filter, weight, ...rest }: JsonObject = entry;
  const names = Object.keys(rest);
  names.forEach(requireFunction);
  if (weight !== undefined) checkWeight(weight);
  if (names.length === 0 && weight === undefined)
    throw parsingError(
      'failed to parse [function_score] query. an entry in functions list is missing a function.',
    );
  return filter === undefined || filter === null ? [] : [parseQuery(filter)];
}
