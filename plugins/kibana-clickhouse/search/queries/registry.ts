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
import { prefix } from './prefix';
import { queryString } from './query-string/query-string';
import { simpleQueryString } from './query-string/simple-query-string';
import { range } from './range';
import { regexp } from './regexp';
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
  prefix,
  queryString,
  range,
  regexp,
  scriptScore,
  simpleQueryString,
  term,
  terms,
  wildcard,
];

const byName = new Map(queryClauses.map((clause) => [clause.name, clause]));

/**
 * Parses a query: an object with one clause. Throws Elasticsearch's errors for what is no query, and
 * refuses by name the clauses that Elasticsearch has and the gateway has not.
 */
export function parseQuery(body: JsonValue): QueryNode {
  if (!isJsonObject(body))
    throw parsingError('[_na] query malformed, must start with start_object');
  const [entry, second] = Object.entries(body);
  if (entry === undefined) throw illegalArgument('query malformed, empty clause found');
  const [name, value] = entry;
  const clause = byName.get(name);
  if (clause === undefined) throw unknownClause(name);
  const node = clause.parse(value, parseQuery);
  if (second !== undefined)
    throw parsingError(`[${name}] malformed query, expected [END_OBJECT] but found [FIELD_NAME]`);
  return node;
}

const unknownClause = (name: string): Error =>
  knownQueries.includes(name)
    ? unsupported(`query [${name}]`)
    : unknownName(`unknown query [${name}]${suggestion(name, knownQueries)}`, name);
