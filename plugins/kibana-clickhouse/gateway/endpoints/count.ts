import { argumentCausedBy, unsupported } from '../../common/errors/catalogue';
import { writeJson } from '../../common/json/write-json';
import { commonParameters, indicesParameters } from '../../search/request/url-parameters';
import type { SearchResponse } from '../../search/response/search-response';
import { searchIndex } from '../search-index';
import { denied } from '../send-on';
import type { GatewayRequest } from './definition';
import { type AnswerFor, filtered, onIndexes } from './on-indexes';
import { readQueryBody, searchBody } from './query-body';

/** Parts of a query in the query string. */
export const queryParameters: readonly string[] = [
  'analyze_wildcard',
  'analyzer',
  'default_operator',
  'df',
  'lenient',
  'q',
];

const parameters: readonly string[] = [
  ...commonParameters,
  ...indicesParameters,
  ...queryParameters,
  'min_score',
  'preference',
  'routing',
  'terminate_after',
];

/**
 * `GET|POST /{index}/_count`: how many documents match the body's `query`, or the `q` of the query string; of several
 * indexes the sum. A search without hits counts them.
 */
export const handler = onIndexes(
  parameters,
  (names, request, runtime) => count(names, request, runtime),
  'read',
);

const count: AnswerFor = async (names, request, runtime) => {
  const search = countingSearch(request);
  const outcomes = await Promise.all(
    names.map((index) => searchIndex({ index, ...search }, request, runtime)),
  );
  const responses: SearchResponse[] = [];
  for (const outcome of outcomes) {
    if (outcome.kind === 'denied') return denied(outcome, request);
    responses.push(outcome.response);
  }
  const early = responses.flatMap(({ terminatedEarly }) => terminatedEarly ?? []);
  return filtered(request, {
    ...(early.length > 0 && { terminated_early: early.includes(true) }),
    count: responses.reduce((sum, { total }) => sum + (total?.value ?? 0), 0),
    _shards: { total: names.length, successful: names.length, skipped: 0, failed: 0 },
  });
};

/** The search that counts: body and parameters. */
function countingSearch(request: GatewayRequest): {
  readonly body: Buffer;
  readonly parameters: ReadonlyMap<string, string>;
} {
  refuseScores(request.query.get('min_score'));
  const kept = [...queryParameters, 'terminate_after'].flatMap((name) => {
    const text = request.query.get(name);
    return text === undefined ? [] : [[name, text] as const];
  });
  const counting = { size: 0, track_total_hits: true };
  return {
    body: Buffer.from(writeJson(searchBody(readQueryBody(request), counting))),
    parameters: new Map(kept),
  };
}

/** Scores are never negative: such a limit lets every document through. */
function refuseScores(text: string | undefined): void {
  if (text === undefined) return;
  const limit = Number(text);
  if (text.trim() === '' || Number.isNaN(limit))
    throw argumentCausedBy(`Failed to parse float parameter [min_score] with value [${text}]`, {
      type: 'number_format_exception',
      reason: `For input string: "${text}"`,
    });
  if (limit > 0) throw unsupported('[min_score] of a _count request');
}
