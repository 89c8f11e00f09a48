import { equalRequest } from '../../judge/rewrites';

describe('the equal request of the judge', () => {
  it('is the request itself where the judge has it', () => {
    const request = {
      method: 'POST',
      path: '/logs/_search?size=1',
      body: { query: { match_all: {} } },
    };
    const equal = equalRequest(request);
    expect(equal.request).toEqual(request);
    expect(equal.restore({ hits: {} })).toEqual({ hits: {} });
  });

  it('leaves out parameters that came after 7.17', () => {
    const path = '/logs/_search?size=1&return_intermediate_results=false';
    expect(equalRequest({ method: 'GET', path }).request.path).toBe('/logs/_search?size=1');
  });

  it('asks _field_caps for its fields in the query string', () => {
    expect(
      equalRequest({
        method: 'POST',
        path: '/logs/_field_caps?ignore_unavailable=true&types=',
        body: { fields: ['@timestamp', 'a'], index_filter: { match_all: {} } },
      }).request,
    ).toEqual({
      method: 'POST',
      path: '/logs/_field_caps?ignore_unavailable=true&fields=%40timestamp%2Ca',
      body: { index_filter: { match_all: {} } },
    });
  });

  it('asks terms for _terms_enum', () => {
    const { request, restore } = equalRequest({
      method: 'POST',
      path: '/logs/_terms_enum',
      body: { field: 'host', string: 'a.B1', size: 2, case_insensitive: true },
    });
    expect(request.path).toBe('/logs/_search');
    expect(request.body).toEqual({
      size: 0,
      aggs: {
        terms: {
          terms: { field: 'host', size: 2, order: { _key: 'asc' }, include: '[aA]\\.[bB]1.*' },
        },
      },
    });
    expect(
      restore({
        _shards: {},
        aggregations: { terms: { buckets: [{ key: 'a.b1', doc_count: 1 }] } },
      }),
    ).toEqual({ _shards: {}, terms: ['a.b1'], complete: true });
  });

  it('asks top_hits for top_metrics at any depth, also in an _msearch', () => {
    const metrics = { metrics: [{ field: 'a' }, { field: 'b' }], sort: { t: 'desc' } };
    const body = {
      aggs: {
        hosts: { terms: { field: 'host' }, aggs: { last: { top_metrics: metrics } } },
        all: { random_sampler: { probability: 1 }, aggs: { n: { avg: { field: 'a' } } } },
      },
    };
    const { request, restore } = equalRequest({
      method: 'POST',
      path: '/_msearch',
      lines: [{}, body],
    });
    const topHits = {
      size: 1,
      _source: false,
      docvalue_fields: ['a', 'b', 't'],
      sort: { t: 'desc' },
    };
    expect(request.lines?.[1]).toEqual({
      aggs: {
        hosts: { terms: { field: 'host' }, aggs: { last: { top_hits: topHits } } },
        all: { filter: { match_all: {} }, aggs: { n: { avg: { field: 'a' } } } },
      },
    });
    const last = { hits: { hits: [{ sort: [5], fields: { a: [1] } }] } };
    const aggregations = {
      hosts: { buckets: [{ key: 'x', doc_count: 1, last }] },
      all: { doc_count: 1 },
    };
    const restored = restore({ took: 1, responses: [{ aggregations }] });
    expect(restored).toEqual({
      took: 1,
      responses: [
        {
          aggregations: {
            hosts: {
              buckets: [
                {
                  key: 'x',
                  doc_count: 1,
                  last: { top: [{ sort: [5], metrics: { a: 1, b: null } }] },
                },
              ],
            },
            all: { probability: 1, doc_count: 1 },
          },
        },
      ],
    });
  });

  it('lists an index once that several parts of an expression name', () => {
    const { restore } = equalRequest({ method: 'GET', path: '/_resolve/index/l*,*' });
    const index = { name: 'logs', attributes: ['open'] };
    expect(restore({ indices: [index, index], aliases: [] })).toEqual({
      indices: [index],
      aliases: [],
    });
  });
});
