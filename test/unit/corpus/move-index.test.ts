import type { CorpusRequest } from '../../corpus/corpus-request';
import { movedLines, movedPath } from '../../corpus/move-index';
import { placing } from '../../corpus/stage';
import { logs } from '../../datasets/logs';

const place = placing([logs, { ...logs, name: 'sample_flights' }]);
const pathOf = (path: string): string =>
  movedPath(
    { path, id: '', app: '', method: 'POST', query: {}, headers: {} } satisfies CorpusRequest,
    place,
  );

describe('the index names of a recorded request', () => {
  it.each([
    ['/logs-*/_search', '/logs/_search'],
    ['/filebeat-*,logs-*,-*cloud*/_async_search', '/logs/_async_search'],
    ['/<logs-{now/d}>/_search', '/logs/_search'],
    ['/kibana_sample_data_flights/_search', '/sample_flights/_search'],
    ['/opensearch_dashboards_sample_data_flights/_search', '/sample_flights/_search'],
    ['/_async_search/_async_search', '/logs/_async_search'],
    ['/logs-*/_mvt/geo.location/3/4/2', '/logs/_mvt/geo.location/3/4/2'],
    ['/_resolve/index/logs-*,-logs-old*', '/_resolve/index/logs*,-logsold*'],
    ['/_msearch', '/_msearch'],
  ])('moves %s to %s', (from, to) => {
    expect(pathOf(from)).toBe(to);
  });

  it.each([
    '/eu:logs-*/_search',
    '/*/_search',
    '/_all/_search',
    '/*,*:*/_search',
    '/.ds-*/_search',
    '/',
  ])('leaves %s to Elasticsearch', (path) => {
    expect(pathOf(path)).toBe(path);
  });

  it('moves the header of every search of an _msearch', () => {
    const body = { query: { match_all: {} } };
    expect(
      movedLines([{ index: ['logs-*', 'x'], preference: 1 }, body, {}, { index: 'logs-*' }], place),
    ).toEqual([{ index: 'logs', preference: 1 }, body, { index: 'logs' }, { index: 'logs-*' }]);
  });
});
