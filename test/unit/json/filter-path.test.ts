import { filterPath } from '../../../plugins/kibana-clickhouse/common/json/filter-path';

const body = {
  took: 1,
  hits: { total: { value: 2 }, hits: [{ _id: 'a', _source: { 'x.y': 1, z: [] } }, { _id: 'b' }] },
  shards: [[{ state: 'STARTED', node: 'n' }], []],
};

test.each([
  ['took', { took: 1 }],
  ['hits.total.value', { hits: { total: { value: 2 } } }],
  ['hits.hits._id', { hits: { hits: [{ _id: 'a' }, { _id: 'b' }] } }],
  ['hits.hits._source', { hits: { hits: [{ _source: { 'x.y': 1, z: [] } }] } }],
  ['**._source.x\\.y', { hits: { hits: [{ _source: { 'x.y': 1 } }] } }],
  ['t*,h*.t*', { took: 1, hits: { total: { value: 2 } } }],
  ['*.*.value', { hits: { total: { value: 2 } } }],
  ['shards.state', { shards: [[{ state: 'STARTED' }]] }],
  ['**.value,-hits', {}],
  ['-hits,-shards', { took: 1 }],
  [
    '-**._source,-took,-shards',
    { hits: { total: { value: 2 }, hits: [{ _id: 'a' }, { _id: 'b' }] } },
  ],
  ['nothing', {}],
  ['took.value', {}],
])('%s leaves its part', (filter, expected) => {
  expect(filterPath(body, filter)).toEqual(expected);
});
