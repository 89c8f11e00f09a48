import { featuresOf } from '../../../dev/docs/compatibility/coverage';
import { differences } from '../../../dev/docs/compatibility/differences';
import { compatibilityEntries, endpointName } from '../../../dev/docs/compatibility/entries';
import { compatibilityPage, scenariosOf } from '../../../dev/docs/compatibility/page';
import { scenarioCoverage } from '../../../dev/docs/compatibility/scenarios';
import { currentPage, writtenPage } from '../../../dev/docs/compatibility/write';
import { ElasticsearchError } from '../../../plugins/kibana-clickhouse/common/errors/elasticsearch-error';
import type { JsonObject } from '../../../plugins/kibana-clickhouse/common/json/json';
import { ENDPOINTS } from '../../../plugins/kibana-clickhouse/gateway/endpoints/table';
import { aggregationTypes } from '../../../plugins/kibana-clickhouse/search/aggregations/registry';
import { queryClauses } from '../../../plugins/kibana-clickhouse/search/queries/registry';
import { parseSearchRequest } from '../../../plugins/kibana-clickhouse/search/request/parse-search-request';

const entries = compatibilityEntries();
const coverage = scenarioCoverage();

/** The reason of the 400 that a search body gets, or undefined when it is accepted. */
function refusalOf(body: JsonObject): string | undefined {
  try {
    parseSearchRequest({ body, parameters: new Map() });
  } catch (error) {
    if (error instanceof ElasticsearchError) return error.message;
    throw error;
  }
  return undefined;
}

describe('docs/compatibility.md', () => {
  it('is what `npm run compat` writes', () => {
    expect(writtenPage()).toBe(currentPage());
  });

  it.each([
    ['endpoint', ENDPOINTS.filter(({ refuses }) => !refuses).map(endpointName)],
    ['query', queryClauses.map(({ name }) => name)],
    ['aggregation', [...aggregationTypes.keys()]],
  ])('has a row that says answered for every %s of the registry', (kind, registered) => {
    const answered = entries.filter((one) => one.kind === kind && one.state !== 'refused');
    expect(answered.map(({ name }) => name).sort()).toEqual([...registered].sort());
    const page = currentPage();
    for (const { name, state } of answered) expect(page).toContain(`| \`${name}\` | ${state} |`);
  });

  const proven = entries.filter(
    ({ kind, state, comparable }) => kind !== 'search key' && state !== 'refused' && comparable,
  );
  it.each(proven.map((entry) => [entry.kind, entry.name, entry] as const))(
    'has a scenario for the %s %s',
    (_kind, _name, entry) => {
      expect(scenariosOf(entry, coverage)).not.toEqual([]);
    },
  );
});

describe('the differences that are written by hand', () => {
  it('belong to rows that are answered', () => {
    for (const { kind, name } of differences)
      expect(entries).toContainEqual(expect.objectContaining({ kind, name, state: 'partial' }));
  });

  const shown = differences.flatMap(({ name, text, refused }) =>
    refused ? [[name, text, refused] as const] : [],
  );
  it.each(shown)('%s: %s', (_name, _text, refused) => {
    expect(refusalOf(refused)).toMatch(/^\[kibana-clickhouse\] unsupported/);
  });
});

describe('the features of a request', () => {
  it('are its endpoint, its keys, and clauses and aggregations at any depth', () => {
    const features = featuresOf({
      method: 'POST',
      path: '/logs/_search?size=0',
      body: {
        query: { bool: { must_not: { terms: { type: ['range'] } } } },
        aggs: { t: { filter: { exists: { field: 'x' } }, aggs: { a: { avg: { field: 'y' } } } } },
      },
    });
    expect(features.map(({ kind, name }) => `${kind} ${name}`)).toEqual([
      'endpoint GET, POST /{index}/_search',
      'search key query',
      'search key aggs',
      'query bool',
      'query terms',
      'aggregation filter',
      'query exists',
      'aggregation avg',
    ]);
  });

  it('are those of every search of an _msearch', () => {
    const features = featuresOf({
      method: 'POST',
      path: '/_msearch',
      body: [{ index: 'a' }, { query: { match_all: {} } }, {}, { query: { match_none: {} } }],
    });
    expect(features.filter(({ kind }) => kind === 'query').map(({ name }) => name)).toEqual([
      'match_all',
      'match_none',
    ]);
  });
});

describe('the page', () => {
  const entry = { kind: 'query', name: 'term', differs: ['a|b'], comparable: true } as const;
  const covering = (
    file: string,
  ): { file: string; features: [{ kind: 'query'; name: string }] } => ({
    file: `test/scenarios/${file}.yaml`,
    features: [{ kind: 'query', name: 'term' }],
  });

  it('links the first three scenarios of a row', () => {
    const page = compatibilityPage(
      [{ ...entry, state: 'partial' }],
      ['a', 'b', 'c', 'd'].map(covering),
    );
    expect(page).toContain(
      '| `term` | partial | a\\|b | [a](../test/scenarios/a.yaml), [b](../test/scenarios/b.yaml), [c](../test/scenarios/c.yaml), … |',
    );
  });
});
