import { isJsonArray, isJsonObject } from '../../../plugins/kibana-clickhouse/common/json/json';
import type { JsonValue } from '../../../plugins/kibana-clickhouse/common/json/json';
import { parseJson } from '../../../plugins/kibana-clickhouse/common/json/parse-json';
import { writeJson } from '../../../plugins/kibana-clickhouse/common/json/write-json';
import { type CompareOptions, compareAnswers } from '../../oracle/compare';
import type { OracleAnswer } from '../../oracle/oracle';
import { capped, failed, found, several } from './answers';

type Path = readonly (string | number)[];

/** Puts a value at a place; undefined takes the member or element away. */
function planted(whole: JsonValue, [name, ...rest]: Path, value: JsonValue | undefined): JsonValue {
  if (name === undefined) return value ?? null;
  if (isJsonArray(whole)) {
    const put =
      rest.length === 0 && value === undefined
        ? []
        : [planted(whole[Number(name)] ?? null, rest, value)];
    return whole.flatMap((item, i) => (i === name ? put : [item]));
  }
  if (!isJsonObject(whole)) throw new Error(`nothing stands at ${String(name)}`);
  const { [name]: old, ...others } = whole;
  if (rest.length === 0 && value === undefined) return others;
  return { ...whole, [name]: planted(old ?? null, rest, value) };
}

function swapped(whole: JsonValue, path: Path): JsonValue {
  const list = path.reduce<JsonValue>(
    (value, name) => (value as unknown as Record<string | number, JsonValue>)[name] ?? null,
    whole,
  );
  const [first = null, second = null, ...others] = isJsonArray(list) ? list : [];
  return planted(whole, path, [second, first, ...others]);
}

const answer = (body: JsonValue, status = 200): OracleAnswer => ({ status, text: writeJson(body) });

const differing = (
  ours: JsonValue,
  theirs: JsonValue,
  options?: CompareOptions,
): readonly string[] =>
  compareAnswers(answer(ours), answer(theirs), options).map(({ path }) => path);

const search = parseJson(found);
const total: Path = ['hits', 'total'];
const hits: Path = ['hits', 'hits'];
const hosts: Path = ['aggregations', 'hosts', 'buckets'];
const days: Path = ['aggregations', 'days', 'buckets'];

describe('the comparison of two answers', () => {
  it.each([found, failed, several, capped])(
    'finds nothing between an answer and itself',
    (text) => {
      expect(differing(parseJson(text), parseJson(text))).toEqual([]);
    },
  );

  it.each<readonly [string, Path, JsonValue | undefined, string]>([
    ['a count', [...hosts, 0, 'doc_count'], 3, 'aggregations.hosts.buckets.0.doc_count'],
    [
      'a count that is no number',
      [...hosts, 0, 'doc_count'],
      '2',
      'aggregations.hosts.buckets.0.doc_count',
    ],
    [
      'a metric',
      [...hosts, 0, 'price', 'value'],
      0.4500001,
      'aggregations.hosts.buckets.0.price.value',
    ],
    [
      'a metric in its twelfth digit',
      [...hosts, 0, 'price', 'value'],
      0.450000000001,
      'aggregations.hosts.buckets.0.price.value',
    ],
    [
      'an integer beyond 2^53 in its last digit',
      [...hits, 0, '_source', 'count'],
      9007199254740992,
      'hits.hits.0._source.count',
    ],
    [
      'an integer beyond 2^53 as the next one',
      [...hits, 0, '_source', 'count'],
      9007199254740994n,
      'hits.hits.0._source.count',
    ],
    [
      'zero for nothing',
      ['aggregations', 'none', 'price', 'value'],
      0,
      'aggregations.none.price.value',
    ],
    [
      'null for a metric',
      [...hosts, 0, 'price', 'value'],
      null,
      'aggregations.hosts.buckets.0.price.value',
    ],
    ['a key', [...hosts, 0, 'key'], 'B', 'aggregations.hosts.buckets.0.key'],
    ['a text of a document', [...hits, 0, '_source', 'host'], 'A', 'hits.hits.0._source.host'],
    ['an _id', [...hits, 1, '_id'], 'z', 'hits.hits.1._id'],
    ['a sort value', [...hits, 0, 'sort', 0], 1704067200001, 'hits.hits.0.sort.0'],
    ['a value of fields', [...hits, 0, 'fields', 'host', 0], 'b', 'hits.hits.0.fields.host.0'],
    ['one value for a list', [...hits, 0, 'fields', 'host'], 'a', 'hits.hits.0.fields.host'],
    ['a score where hits are sorted', [...hits, 0, '_score'], 1, 'hits.hits.0._score'],
    [
      'key_as_string in another form',
      [...days, 0, 'key_as_string'],
      '2024-01-01',
      'aggregations.days.buckets.0.key_as_string',
    ],
    [
      'key_as_string with another zone',
      [...days, 0, 'key_as_string'],
      '2024-01-01T00:00:00.000+00:00',
      'aggregations.days.buckets.0.key_as_string',
    ],
    [
      'no key_as_string',
      [...days, 0, 'key_as_string'],
      undefined,
      'aggregations.days.buckets.0.key_as_string',
    ],
    ['a total', [...total, 'value'], 4, 'hits.total.value'],
    ['the relation of a total', [...total, 'relation'], 'gte', 'hits.total.relation'],
    ['a total as a number', total, 3, 'hits.total'],
    ['no total', total, undefined, 'hits.total'],
    [
      'a missing key',
      ['aggregations', 'hosts', 'sum_other_doc_count'],
      undefined,
      'aggregations.hosts.sum_other_doc_count',
    ],
    ['a missing aggregation', ['aggregations', 'none'], undefined, 'aggregations.none'],
    ['an extra key', ['aggregations', 'hosts', 'extra'], 0, 'aggregations.hosts.extra'],
    ['an extra key at the top', ['extra'], {}, 'extra'],
    ['an extra key that is null', [...hits, 0, 'extra'], null, 'hits.hits.0.extra'],
    ['absent for null', [...hits, 0, '_source', 'note'], undefined, 'hits.hits.0._source.note'],
    ['null for a value', [...hits, 1, '_source', 'note'], null, 'hits.hits.1._source.note'],
    [
      'absent for a null of a metric',
      ['aggregations', 'none', 'price', 'value'],
      undefined,
      'aggregations.none.price.value',
    ],
    ['true for a timeout', ['timed_out'], true, 'timed_out'],
    ['took in a document', [...hits, 0, '_source', 'took'], 1, 'hits.hits.0._source.took'],
    ['a line in a document', [...hits, 0, '_source', 'line'], 1, 'hits.hits.0._source.line'],
    ['_shards in a bucket', [...hosts, 0, '_shards'], {}, 'aggregations.hosts.buckets.0._shards'],
    [
      'the moment of a date in a document',
      [...hits, 0, '_source', 'at'],
      '2024-01-01T00:00:00.001Z',
      'hits.hits.0._source.at',
    ],
    ['sampling below the top', ['hits', 'sampling'], 1, 'hits.sampling'],
    ['cache in an aggregation', ['aggregations', 'cache'], true, 'aggregations.cache'],
    ['sampling that is no number', ['sampling'], '1', 'sampling'],
    ['cache that is no boolean', ['cache'], 1, 'cache'],
  ])('finds %s', (_, path, value, expected) => {
    expect(differing(planted(search, path, value), search)).toEqual([expected]);
  });

  it.each<readonly [string, Path, readonly string[]]>([
    ['buckets', hosts, ['aggregations.hosts.buckets.0.key', 'aggregations.hosts.buckets.1.key']],
    ['hits', hits, ['hits.hits.0._id', 'hits.hits.1._id']],
  ])('finds another order of %s', (_, path, expected) => {
    expect(differing(swapped(search, path), search)).toEqual(expect.arrayContaining([...expected]));
  });

  it.each<readonly [string, Path]>([
    ['a missing bucket', [...hosts, 1]],
    ['a missing hit', [...hits, 2]],
  ])('finds %s, and one too many', (_, path) => {
    const length = [...path.slice(0, -1), 'length'].join('.');
    const fewer = planted(search, path, undefined);
    expect(differing(fewer, search)).toContain(length);
    expect(differing(search, fewer)).toContain(length);
  });

  it('finds another status, and text in place of JSON', () => {
    const { text } = answer(search);
    const statuses = compareAnswers({ status: 201, text }, { status: 200, text });
    expect(statuses).toEqual([{ path: '(status)', ours: 201, theirs: 200 }]);
    expect(compareAnswers({ status: 200, text: 'gone' }, { status: 200, text })).toHaveLength(1);
  });
});

describe('the comparison of two errors', () => {
  const error = parseJson(failed);
  const shard: Path = ['error', 'failed_shards', 0, 'reason'];

  it.each<readonly [string, Path, JsonValue | undefined]>([
    ['type', ['error', 'type'], 'parsing_exception'],
    ['reason', ['error', 'reason'], 'some shards failed'],
    ['phase', ['error', 'phase'], 'fetch'],
    ['status', ['status'], 500],
    ['type of the root cause', ['error', 'root_cause', 0, 'type'], 'exception'],
    ['reason of the root cause', ['error', 'root_cause', 0, 'reason'], 'failed to create query'],
    ['index of the root cause', ['error', 'root_cause', 0, 'index'], 'logs'],
    ['cause', [...shard, 'caused_by', 'type'], 'illegal_argument_exception'],
    ['missing cause', [...shard, 'caused_by'], undefined],
    ['failed shard', ['error', 'failed_shards', 0, 'index'], 'logs'],
  ])('finds another %s', (_, path, value) => {
    expect(differing(planted(error, path, value), error)).toEqual([path.join('.')]);
  });

  it('finds a missing root cause', () => {
    expect(differing(planted(error, ['error', 'root_cause'], []), error)).toContain(
      'error.root_cause.length',
    );
  });

  it.each<readonly [string, Path, JsonValue | undefined]>([
    ['another name of a node', ['error', 'failed_shards', 0, 'node'], 'clickhouse'],
    ['no id of an index', ['error', 'root_cause', 0, 'index_uuid'], undefined],
    ['no id of an index in a cause', [...shard, 'index_uuid'], undefined],
    ['a place in the request', ['error', 'line'], 1],
    ['a place in the request, of the root cause', ['error', 'root_cause', 0, 'col'], 7],
  ])('accepts %s', (_, path, value) => {
    expect(differing(planted(error, path, value), error)).toEqual([]);
  });

  it('accepts another place at the start of a reason, and nothing else in it', () => {
    const reasoned = (reason: string): JsonValue => planted(error, ['error', 'reason'], reason);
    const theirs = reasoned('[1:46] [terms] unknown field [foo]');
    expect(differing(reasoned('[3:9] [terms] unknown field [foo]'), theirs)).toEqual([]);
    expect(differing(reasoned('[terms] unknown field [foo]'), theirs)).toEqual([]);
    expect(differing(reasoned('[3:9] [terms] unknown field [bar]'), theirs)).toEqual([
      'error.reason',
    ]);
  });
});

describe('the comparison accepts', () => {
  it.each<readonly [string, Path, JsonValue | undefined]>([
    ['another time', ['took'], 99],
    ['other shards', ['_shards', 'total'], 5],
    ['hits without a type', [...hits, 0, '_type'], undefined],
    ['a sum in another order', [...hosts, 0, 'price', 'value'], 0.45],
    [
      'the moment of a date in another form',
      [...hits, 0, '_source', 'at'],
      '2024-01-01 01:00:00+01:00',
    ],
    ['the part of rows that was read', ['sampling'], 0.5],
    ['whether the cache answered', ['cache'], false],
  ])('%s', (_, path, value) => {
    expect(differing(planted(search, path, value), search)).toEqual([]);
  });

  it('another order of keys', () => {
    const turned = Object.fromEntries(Object.entries(isJsonObject(search) ? search : {}).reverse());
    expect(differing(turned, search)).toEqual([]);
  });

  it('an exact total that is larger than what was counted, and no smaller one', () => {
    const theirs = parseJson(capped);
    const exact = (value: number): JsonValue => planted(theirs, total, { value, relation: 'eq' });
    expect(differing(exact(10_001), theirs)).toEqual([]);
    expect(differing(exact(10_000), theirs)).toEqual(['hits.total.relation']);
    expect(differing(exact(9_999), theirs)).toEqual(['hits.total.value', 'hits.total.relation']);
    expect(differing(theirs, exact(10_001))).toEqual(['hits.total.value', 'hits.total.relation']);
  });

  it('another score where the judge ranks, yet not none', () => {
    const ranked = planted(search, [...hits, 0, '_score'], 0.28);
    expect(differing(planted(search, [...hits, 0, '_score'], 1), ranked)).toEqual([]);
    expect(differing(search, ranked)).toEqual(['hits.hits.0._score']);
  });

  it('the order of the index where a sort ends with it', () => {
    const request = { path: '/orders/_search', body: { sort: ['host', '_doc'] } };
    const hit = (id: string, host: string, place: number): JsonValue => ({
      _id: id,
      sort: [host, place],
    });
    const page = (...shown: readonly JsonValue[]): JsonValue => ({ hits: { hits: shown } });
    const [first, last] = [hit('a', 'x', 0), hit('d', 'z', 3)];
    const theirs = page(first, hit('b', 'y', 1), hit('c', 'y', 2), last);
    const ours = page(first, hit('c', 'y', 7), hit('b', 'y', 8), last);
    expect(differing(ours, theirs, { request })).toEqual([]);
    expect(differing(ours, theirs)).not.toEqual([]);
    const other = page(first, hit('c', 'y', 7), hit('e', 'y', 8), last);
    expect(differing(other, theirs, { request })).toContain('hits.hits.2._id');
  });

  it('what a scenario tolerates, and no more', () => {
    const tolerate = [{ path: 'aggregations.hosts.buckets.*.price.value', reason: 'for the test' }];
    const changed = planted(search, [...hosts, 0, 'price', 'value'], 7);
    expect(differing(changed, search, { tolerate })).toEqual([]);
    const more = planted(changed, [...hosts, 0, 'doc_count'], 7);
    expect(differing(more, search, { tolerate })).toEqual([
      'aggregations.hosts.buckets.0.doc_count',
    ]);
  });
});

describe('the comparison of several answers', () => {
  const theirs = parseJson(several);

  it.each<readonly [Path, JsonValue]>([
    [['took'], 99],
    [['responses', 0, 'took'], 99],
    [['responses', 0, 'sampling'], 1],
    [['responses', 0, 'cache'], true],
  ])('accepts %j', (path, value) => {
    expect(differing(planted(theirs, path, value), theirs)).toEqual([]);
  });

  it.each<readonly [Path, JsonValue]>([
    [['responses', 0, 'hits', 'total', 'value'], 5],
    [['responses', 0, 'hits', 'hits', 0, '_source', 'took'], 5],
    [['responses', 0, 'status'], 201],
    [['responses', 1, 'error', 'reason'], 'no'],
    [['responses', 1, 'cache'], true],
    [['sampling'], 1],
  ])('finds %j', (path, value) => {
    expect(differing(planted(theirs, path, value), theirs)).toEqual([path.join('.')]);
  });

  it('finds that one has moved', () => {
    expect(differing(swapped(theirs, ['responses']), theirs)).not.toEqual([]);
  });
});

describe('the comparison of an asynchronous answer', () => {
  const theirs = { is_partial: false, is_running: false, response: search };

  it('accepts what the product adds to the search answer in it', () => {
    const ours = planted(planted(theirs, ['response', 'cache'], true), ['response', 'sampling'], 1);
    expect(differing(ours, theirs)).toEqual([]);
  });

  it('finds it in the envelope', () => {
    expect(differing(planted(theirs, ['cache'], true), theirs)).toEqual(['cache']);
    expect(differing(planted(theirs, ['is_running'], true), theirs)).toEqual(['is_running']);
  });
});

describe('the comparison of aggregations', () => {
  const aggregations = (filters: JsonValue): JsonValue => ({ aggregations: { filters } });
  const buckets = { a: { doc_count: 1 } };

  it('accepts the empty meta that a rewritten filter leaves', () => {
    expect(differing(aggregations({ buckets }), aggregations({ meta: {}, buckets }))).toEqual([]);
  });

  it('finds a meta that says something, and one that only the product writes', () => {
    const told = aggregations({ meta: { a: 1 }, buckets });
    expect(differing(aggregations({ buckets }), told)).toEqual(['aggregations.filters.meta']);
    expect(differing(aggregations({ meta: {}, buckets }), aggregations({ buckets }))).toEqual([
      'aggregations.filters.meta',
    ]);
  });

  it('finds an empty meta in a document', () => {
    const source = (value: JsonValue): JsonValue => ({ hits: { hits: [{ _source: value }] } });
    expect(differing(source({}), source({ meta: {} }))).toEqual(['hits.hits.0._source.meta']);
  });
});
