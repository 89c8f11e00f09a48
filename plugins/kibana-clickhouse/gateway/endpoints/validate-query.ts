import { readableText } from '../../clickhouse/sql/compile';
import { isUnsupported, validationError } from '../../common/errors/catalogue';
import { ElasticsearchError } from '../../common/errors/elasticsearch-error';
import type { JsonObject } from '../../common/json/json';
import { booleanParameter } from '../../search/request/coerce';
import { parseSearchRequest } from '../../search/request/parse-search-request';
import type { SearchRequest } from '../../search/request/search-request';
import { commonParameters, indicesParameters } from '../../search/request/url-parameters';
import { planSearch, statementsOf } from '../../search/run-search';
import type { Runtime } from '../runtime';
import { planContext } from '../search-index';
import { queryParameters } from './count';
import type { GatewayRequest } from './definition';
import { type AnswerFor, filtered, onIndexes } from './on-indexes';
import { readQueryBody, searchBody } from './query-body';

const parameters: readonly string[] = [
  ...commonParameters,
  ...indicesParameters,
  ...queryParameters,
  'all_shards',
  'explain',
  'rewrite',
];

/**
 * `GET|POST /{index}/_validate/query`: whether a query can be run, without running it. `explain` tells why not, or else how
 * it is run: `*:*` for all documents, as Elasticsearch, and the SQL that counts the matching ones where Elasticsearch shows
 * Lucene's query. What only the gateway does not do is refused, because Elasticsearch would call it valid.
 */
export const handler = onIndexes(
  parameters,
  (names, request, runtime) => validate(names, request, runtime),
  'read',
);

const validate: AnswerFor = async (names, request, runtime) => {
  const isExplained = isOn('explain', request) || isOn('rewrite', request);
  const search = readSearch(request);
  if (search.kind === 'invalid')
    return filtered(request, { valid: false, ...(isExplained && { error: search.error }) });
  const explained = await Promise.all(
    names.map((index) => explanation(index, search.value, request, runtime)),
  );
  return filtered(request, {
    _shards: { total: names.length, successful: names.length, failed: 0 },
    valid: explained.every(({ valid }) => valid),
    ...(isExplained && { explanations: explained }),
  });
};

const isOn = (name: string, { query }: GatewayRequest): boolean =>
  booleanParameter(query.get(name) ?? 'false');

type Read<T> =
  | { readonly kind: 'valid'; readonly value: T }
  | { readonly kind: 'invalid'; readonly error: string };

/** A query that cannot be read is an answer; one that is missing is an error (Elasticsearch 7.17). */
function readSearch(request: GatewayRequest): Read<SearchRequest> {
  const body = read(() => readQueryBody(request));
  if (body.kind === 'invalid') return body;
  const { value: query } = body;
  if (request.body.length > 0 && query === undefined && !request.query.has('q'))
    throw validationError(['query cannot be null']);
  const own = [...request.query].filter(([name]) => queryParameters.includes(name));
  return read(() =>
    parseSearchRequest({
      body: searchBody(query, { size: 0, track_total_hits: true }),
      parameters: new Map(own),
    }),
  );
}

function read<T>(get: () => T): Read<T> {
  try {
    return { kind: 'valid', value: get() };
  } catch (error) {
    return { kind: 'invalid', error: wordsOf(error) };
  }
}

/** Throws what is not the query's fault. */
function wordsOf(error: unknown): string {
  if (!(error instanceof ElasticsearchError) || error.status !== 400 || isUnsupported(error))
    throw error;
  return `${error.type}: ${error.message}`;
}

interface Explanation extends JsonObject {
  readonly valid: boolean;
}

async function explanation(
  index: string,
  search: SearchRequest,
  request: GatewayRequest,
  runtime: Runtime,
): Promise<Explanation> {
  const context = await planContext(index, runtime, Date.now());
  const shard = isOn('all_shards', request) ? { shard: 0 } : {};
  const planned = read(() => statementsOf(planSearch(search, context)));
  if (planned.kind === 'invalid')
    return { index, ...shard, valid: false, error: `[${index}] ${planned.error}` };
  const text =
    search.query.type === 'match_all' ? '*:*' : planned.value.map(readableText).join('; ');
  return { index, ...shard, valid: true, explanation: text };
}
