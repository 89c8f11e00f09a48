import { ElasticsearchError } from '../../../plugins/kibana-clickhouse/common/errors/elasticsearch-error';
import { ELASTICSEARCH_PATHS } from '../../../plugins/kibana-clickhouse/gateway/answer-process/elasticsearch-paths';
import type { Endpoint } from '../../../plugins/kibana-clickhouse/gateway/endpoints/definition';
import { ENDPOINTS } from '../../../plugins/kibana-clickhouse/gateway/endpoints/table';
import { elasticsearchAggregations } from '../../../plugins/kibana-clickhouse/search/aggregations/known-types';
import { aggregationTypes } from '../../../plugins/kibana-clickhouse/search/aggregations/registry';
import { knownQueries } from '../../../plugins/kibana-clickhouse/search/queries/known-queries';
import { queryClauses } from '../../../plugins/kibana-clickhouse/search/queries/registry';
import { searchBodyKeys } from '../../../plugins/kibana-clickhouse/search/request/body-keys';
import { aggregationOptions } from './aggregation-options';
import { differences } from './differences';
import type { EntryKind } from './entry-kind';

/** One row of the page. */
export interface Entry {
  readonly kind: EntryKind;
  readonly name: string;
  /** `partial`: answered, but not in everything as Elasticsearch does; `differs` says in what. */
  readonly state: 'supported' | 'partial' | 'refused';
  readonly differs: readonly string[];
  /** Whether Elasticsearch has it, too: only then can a scenario compare both. */
  readonly comparable: boolean;
}

/** Everything that Elasticsearch knows or the gateway answers, a row each. */
export function compatibilityEntries(): readonly Entry[] {
  const clauses = new Set(queryClauses.map(({ name }) => name));
  return [
    ...endpoints(),
    ...searchBodyKeys.map(({ key, refused }) => entry('search key', key, !refused)),
    ...union(knownQueries, clauses).map((name) => entry('query', name, clauses.has(name))),
    ...union(elasticsearchAggregations, aggregationTypes.keys()).map((name) =>
      entry('aggregation', name, aggregationTypes.has(name)),
    ),
  ];
}

const union = (known: readonly string[], answered: Iterable<string>): readonly string[] =>
  [...new Set([...known, ...answered])].sort();

function entry(kind: EntryKind, name: string, isAnswered: boolean, comparable = true): Entry {
  if (!isAnswered) return { kind, name, state: 'refused', differs: [], comparable };
  const differs = [
    ...differences.filter((one) => one.kind === kind && one.name === name).map(({ text }) => text),
    ...(kind === 'aggregation' ? refusedOptions(name) : []),
  ];
  return { kind, name, state: differs.length > 0 ? 'partial' : 'supported', differs, comparable };
}

/** What an endpoint is called on the page: `GET, POST /{index}/_search`. */
export const endpointName = ({ methods, path }: Endpoint): string =>
  `${methods.join(', ')} ${path}`;

function endpoints(): readonly Entry[] {
  const answered = ENDPOINTS.map((endpoint) =>
    // no judge has asynchronous searches: nothing has an id there
    entry(
      'endpoint',
      endpointName(endpoint),
      !endpoint.refuses,
      endpoint.role === 'proxy' && endpoint.index !== 'id',
    ),
  );
  const underIndex = ENDPOINTS.map(({ path }) => /^\/\{index\}\/([^/]+)/.exec(path)?.[1]);
  const refused = [...ELASTICSEARCH_PATHS].filter((name) => !underIndex.includes(name)).sort();
  return [...answered, ...refused.map((name) => entry('endpoint', `/{index}/${name}`, false))];
}

/** The options that an aggregation's own parser refuses by name. */
function refusedOptions(name: string): readonly string[] {
  const refused = aggregationOptions.filter((option) => isRefused(name, option));
  return refused.length === 0
    ? []
    : [`refused: ${refused.map((option) => `\`${option}\``).join(', ')}`];
}

function isRefused(name: string, option: string): boolean {
  try {
    aggregationTypes.get(name)?.parse({ [option]: 'x' }, 'a');
  } catch (error) {
    if (!(error instanceof ElasticsearchError)) throw error;
    return error.message.includes(`unsupported: option [${option}] of aggregation [${name}]`);
  }
  return false;
}
