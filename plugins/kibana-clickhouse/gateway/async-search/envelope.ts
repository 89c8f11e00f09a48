import type { AsyncSearchRecord } from '../../metadata/async-search/async-search-store';

/** What an answer says about a search. */
export type EnvelopeOf = Pick<AsyncSearchRecord, 'startedAt' | 'expiresAt'> & {
  /** Absent where the answer is not kept. */
  readonly id?: string;
  /** Epoch ms; absent while it runs. `completion_time_in_millis` is Elasticsearch 8's; older clients do not read it. */
  readonly completedAt?: number;
  /** Whether it has an answer; without one it is partial. */
  readonly isAnswered: boolean;
};

/** The start of an answer of `_async_search`, up to the key that is left open: `"response":` or `"error":`. */
export function envelopeStart(of: EnvelopeOf, key: 'response' | 'error' | '_shards'): string {
  const { id, startedAt, expiresAt, completedAt, isAnswered } = of;
  const isRunning = completedAt === undefined;
  return (
    `{${id === undefined ? '' : `"id":${JSON.stringify(id)},`}` +
    `"is_partial":${String(!isAnswered)},"is_running":${String(isRunning)},` +
    `"start_time_in_millis":${String(startedAt)},"expiration_time_in_millis":${String(expiresAt)},` +
    (isRunning ? '' : `"completion_time_in_millis":${String(completedAt)},`) +
    `"${key}":`
  );
}

/** What is said of shards: a table has one, which has answered when the search has. */
export const shardsText = (successful: 0 | 1, failed: 0 | 1 = 0): string =>
  `{"total":1,"successful":${String(successful)},"skipped":0,"failed":${String(failed)}}`;

/** The `response` of a search that still runs: none of its rows is known. */
export const unansweredText = (tookMs: number): string =>
  `{"took":${String(tookMs)},"timed_out":false,"num_reduce_phases":0,"_shards":${shardsText(0)},` +
  '"hits":{"total":{"value":0,"relation":"gte"},"max_score":null,"hits":[]},"sampling":1,"cache":false}';

/** The state as headers, which is all that Kibana 9 reads. */
export const stateHeaders = ({
  id,
  completedAt,
}: Pick<EnvelopeOf, 'id' | 'completedAt'>): Readonly<Record<string, string>> => ({
  ...(id !== undefined && { 'x-elasticsearch-async-id': id }),
  'x-elasticsearch-async-is-running': completedAt === undefined ? '?1' : '?0',
});
