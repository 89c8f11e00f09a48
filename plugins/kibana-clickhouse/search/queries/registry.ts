import {
  illegalArgument,
  parsingError,
  unknownName,
  unsupported,
} from '../../common/errors/catalogue';
import { type JsonValue, isJsonObject } from '../../common/json/json';
import { suggestion } from '../suggestion';
import { bool } from './bool';
import { boosting } from './boosting';
import { constantScore } from './constant-score';
import type { QueryClause, QueryNode } from './definition';
import { disMax } from './dis-max';
import { exists } from './exists';
import { functionScore } from './function-score';
import { fuzzy } from './fuzzy';
import { geoBoundingBox } from './geo/geo-bounding-box';
import { geoDistance } from './geo/geo-distance';
import { geoShape } from './geo/geo-shape';
import { ids } from './ids';
import { knownQueries } from './known-queries';
import { match } from './match';
import { matchAll, matchNone } from './match-all';
import { matchBoolPrefix } from './match-bool-prefix';
import { matchPhrase } from './match-phrase';
import { matchPhrasePrefix } from './match-phrase-prefix';
import { multiMatch } from './multi-match';
import { nested } from './nested';
import { prefix } from './prefix';
import { queryString } from './query-string/query-string';
import { simpleQueryString } from './query-string/simple-query-string';
import { range } from './range';
import { regexp } from './regexp';
import { script } from './script';
import { scriptScore } from './script-score';
import { term } from './term';
import { terms } from './terms';
import { wildcard } from './wildcard';

/** Every clause that is answered. */
export const queryClauses: readonly QueryClause[] = [
  bool,
  boosting,
  constantScore,
  disMax,
  exists,
  functionScore,
  fuzzy,
  geoBoundingBox,
  geoDistance,
  geoShape,
  ids,
  match,
  matchAll,
  matchBoolPrefix,
  matchNone,
  matchPhrase,
  matchPhrasePrefix,
  multiMatch,
  nested,
  prefix,
  queryString,
  range,
  regexp,
  script,
  scriptScore,
  simpleQueryString,
  term,
  terms,
  wildcard,
];

const byName = new Map(queryClauses.map((clause) => [clause.name, clause]));

/** `indices.query.bool.max_nested_depth` of Elasticsearch 7.17. */
const maximumBoolDepth = 20;

/** Clauses within clauses of any kind; Elasticsearch has no such limit. */
const maximumDepth = 100;

/** How many clauses, and how many of them bool, stand around one. */
interface Depth {
  readonly bools: number;
  readonly clauses: number;
}

/**
 * Parses a query: an object with one clause. Throws Elasticsearch's errors for what is no query and for bool clauses nested
 * more than 20 deep, and refuses by name the clauses that Elasticsearch has and the gateway has not.
 */
export const parseQuery = (body: JsonValue): QueryNode =>
  parseWithin(body, { bools: 0, clauses: 0 });

function parseWithin(body: JsonValue, around: Depth): QueryNode {
  if (!isJsonObject(body))
    throw parsingError('[_na] query malformed, must start with start_object');
  const [entry, second] = Object.entries(body);
  if (entry === undefined) throw illegalArgument('query malformed, empty clause found');
  const [name, value] = entry;
  const clause = byName.get(name);
  if (clause === undefined) throw unknownClause(name);
  const depth = enter(name, around);
  const node = clause.parse(value, (inner) => parseWithin(inner, depth));
  if (second !== undefined)
    throw parsingError(`[${name}] malformed query, expected [END_OBJECT] but found [FIELD_NAME]`);
  return node;
}

function enter(name: string, around: Depth): Depth {
  const bools = around.bools + Number(name === 'bool');
  if (bools > maximumBoolDepth)
    throw illegalArgument(
      'The nested depth of the query exceeds the maximum nested depth for bool queries set in [indices.query.bool.max_nested_depth]',
    );
  const clauses = around.clauses + 1;
  if (clauses > maximumDepth)
    throw unsupported(`clauses nested more than ${String(maximumDepth)} deep`);
  return { bools, clauses };
}

const unknownClause = (name: string): Error =>
  knownQueries.includes(name)
    ? unsupported(`query [${name}]`)
    : unknownName(`unknown query [${name}]${suggestion(name, knownQueries)}`, name);
