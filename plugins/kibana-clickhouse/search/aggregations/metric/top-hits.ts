import { illegalArgument, unsupported } from '../../../common/errors/catalogue';
import {
  isJsonArray,
  isJsonObject,
  type JsonObject,
  type JsonValue,
} from '../../../common/json/json';
import { toBoolean, toInteger, unknownKey } from '../../request/coerce';
import { parseDocvalueFields, parseFields } from '../../request/field-selectors';
import { parseQuery } from '../../queries/registry';
import { parseHighlight } from '../../request/highlight';
import type { HitOptions, SortKey } from '../../request/hit-options';
import { parseSort } from '../../request/sort';
import { parseSourceFilter } from '../../request/source-filter';
import { storedFields } from '../../request/stored-fields';
import type { AggregationType } from '../definition';

const name = 'top_hits';

type Kind = 'array' | 'object' | 'scalar';

/** The kinds of value that Elasticsearch 7.17 takes for an option (`TopHitsAggregationBuilder`); null is none of them. */
const options: Readonly<Record<string, readonly Kind[]>> = {
  _source: ['array', 'object', 'scalar'],
  docvalue_fields: ['array'],
  explain: ['scalar'],
  fields: ['array'],
  from: ['scalar'],
  highlight: ['object'],
  script_fields: ['object'],
  seq_no_primary_term: ['scalar'],
  size: ['scalar'],
  sort: ['array', 'object', 'scalar'],
  stored_fields: ['array', 'scalar'],
  track_scores: ['scalar'],
  version: ['scalar'],
};

/**
 * `{"top_hits": {"size": 1, "sort": [{"@timestamp": "desc"}], "_source": ["host"]}}`: the first documents of each bucket, written
 * as the hits of a search are. Without a sort they stand in index order. A
 * `highlight` shows what the search's query found. Refused: `script_fields`, `explain`.
 */
export const topHits: AggregationType = {
  name,
  parse(body, aggregation) {
    for (const [key, value] of Object.entries(body)) checkOption(key, value);
    return {
      family: 'hits',
      type: name,
      params: parseOptions(body, aggregation),
      highlight: parseHighlight(body['highlight'], parseQuery),
      assemble: (hits, { docCount, maxScore }, { totalAsInteger }) => ({
        hits: {
          total: totalAsInteger === true ? docCount : { value: docCount, relation: 'eq' },
          max_score: maxScore,
          hits,
        },
      }),
    };
  },
};

const kindOf = (value: JsonValue): Kind | undefined => {
  if (value === null) return undefined;
  if (isJsonArray(value)) return 'array';
  return isJsonObject(value) ? 'object' : 'scalar';
};

function checkOption(key: string, value: JsonValue): void {
  const kinds = Object.hasOwn(options, key) ? options[key] : undefined;
  const kind = kindOf(value);
  if (!kinds || !kind || !kinds.includes(kind)) throw unknownKey(key, value);
  const hasEffect = key === 'explain' ? toBoolean(value, key) : key === 'script_fields';
  if (hasEffect && !(isJsonObject(value) && Object.keys(value).length === 0))
    throw unsupported(`option [${key}] of aggregation [${name}]`);
}

function parseOptions(body: JsonObject, aggregation: string): HitOptions {
  const stored = storedFields(body['stored_fields'], undefined);
  const isOn = (key: string): boolean => {
    const value = body[key];
    return value === undefined ? false : toBoolean(value, key);
  };
  return {
    size: countOption(body, 'size', aggregation) ?? 3,
    from: countOption(body, 'from', aggregation) ?? 0,
    sort: sortOption(body['sort']),
    source: parseSourceFilter(body, new Map(), stored),
    fields: parseFields(body),
    docvalueFields: parseDocvalueFields(body, new Map()),
    showsId: !(stored?.includes('_none_') ?? false),
    version: isOn('version'),
    seqNoPrimaryTerm: isOn('seq_no_primary_term'),
    trackScores: isOn('track_scores'),
  };
}

function countOption(body: JsonObject, key: string, aggregation: string): number | undefined {
  const value = body[key];
  if (value === undefined) return undefined;
  const count = toInteger(value, key);
  if (count >= 0) return count;
  throw illegalArgument(
    `[${key}] must be greater than or equal to 0. Found [${String(count)}] in [${aggregation}]`,
  );
}

/** Any scalar is the name of a field. */
const sortOption = (value: JsonValue | undefined): readonly SortKey[] =>
  parseSort(value === undefined || typeof value === 'object' ? value : String(value));
