import { ElasticsearchError } from '../../../plugins/kibana-clickhouse/common/errors/elasticsearch-error';
import type { JsonValue } from '../../../plugins/kibana-clickhouse/common/json/json';
import { elasticsearchAggregations } from '../../../plugins/kibana-clickhouse/search/aggregations/known-types';
import {
  aggregationTypes,
  parseAggregations,
} from '../../../plugins/kibana-clickhouse/search/aggregations/registry';

function refusal(body: JsonValue): ElasticsearchError {
  try {
    parseAggregations(body);
  } catch (error) {
    if (error instanceof ElasticsearchError) return error;
    throw error;
  }
  throw new Error('not refused');
}

const avg = { avg: { field: 'bytes' } };
const histogram = (more: Record<string, JsonValue>): JsonValue => ({
  a: { date_histogram: { field: 'ts', ...more } },
});
const terms = (more: Record<string, JsonValue>): JsonValue => ({
  a: { terms: { field: 'host', ...more } },
});

describe('what is accepted', () => {
  test('both spellings of sub-aggregations, meta, and names with any other character', () => {
    const [named] = parseAggregations({
      'b. (ü)': {
        aggregations: { c: { terms: { field: 'x' }, aggs: { d: avg } } },
        terms: { field: 'host' },
        meta: { k: [1] },
      },
    });
    expect(named).toMatchObject({
      name: 'b. (ü)',
      meta: { k: [1] },
      node: { type: 'terms' },
      subs: [{ name: 'c', subs: [{ name: 'd', node: { type: 'avg' } }] }],
    });
  });

  test('no aggregations at all', () => {
    expect(parseAggregations(undefined)).toEqual([]);
    expect(parseAggregations({})).toEqual([]);
  });

  test.each<[Record<string, JsonValue>, object]>([
    [{ fixed_interval: '30s' }, { kind: 'fixed', ms: 30_000 }],
    [{ fixed_interval: '2d' }, { kind: 'fixed', ms: 172_800_000 }],
    [{ calendar_interval: '1m' }, { kind: 'calendar', unit: 'minute' }],
    [{ calendar_interval: '1M' }, { kind: 'calendar', unit: 'month' }],
    [{ calendar_interval: 'quarter' }, { kind: 'calendar', unit: 'quarter' }],
    [{ interval: '1d' }, { kind: 'calendar', unit: 'day' }],
    [{ interval: '12h' }, { kind: 'fixed', ms: 43_200_000 }],
    [{ interval: 5000 }, { kind: 'fixed', ms: 5000 }],
  ])('the interval %j', (interval, expected) => {
    expect(parseAggregations(histogram(interval))[0]?.node.params).toMatchObject({
      interval: expected,
    });
  });

  test.each<[JsonValue, number]>([
    ['+6h', 21_600_000],
    ['-1d', -86_400_000],
    ['90m', 5_400_000],
    [-1500, -1500],
  ])('the offset %j', (offset, ms) => {
    const [named] = parseAggregations(histogram({ fixed_interval: '1d', offset }));
    expect(named?.node.params).toMatchObject({ offset: ms });
  });

  test('what shards would need to know', () => {
    const ignored = { shard_size: 25, execution_hint: 'map', collect_mode: 'breadth_first' };
    expect(parseAggregations(terms({ ...ignored, size: '5' }))[0]?.node.params).toMatchObject({
      size: 5,
    });
  });

  test.each<[JsonValue, object]>([
    [
      { _count: 'asc' },
      [
        { by: 'count', direction: 'ASC' },
        { by: 'key', direction: 'ASC' },
      ],
    ],
    [{ _term: 'desc' }, [{ by: 'key', direction: 'DESC' }]],
    [
      [{ 'a.b.value': 'DESC' }, { 'p[99.9]': 'asc' }],
      [
        { by: 'metric', aggregation: 'a.b', path: 'value' },
        { by: 'metric', aggregation: 'p', path: '99.9' },
        { by: 'key', direction: 'ASC' },
      ],
    ],
  ])('the order %j', (order, expected) => {
    expect(parseAggregations(terms({ order }))[0]?.node.params).toMatchObject({ order: expected });
  });
});

describe('what is refused', () => {
  test.each<[JsonValue, string, string]>([
    [
      { a: { termss: {} } },
      'parsing_exception',
      'Unknown aggregation type [termss] did you mean [terms]?',
    ],
    [{ a: { zzzzzz: {} } }, 'parsing_exception', 'Unknown aggregation type [zzzzzz]'],
    [{ 'a>b': avg }, 'parsing_exception', 'Invalid aggregation name [a>b]. '],
    [{ '': avg }, 'parsing_exception', 'Invalid aggregation name []. '],
    [{ a: {} }, 'parsing_exception', 'Missing definition for aggregation [a]'],
    [
      { a: { ...avg, terms: { field: 'x' } } },
      'parsing_exception',
      'Found two aggregation type definitions in [a]: [avg] and [terms]',
    ],
    [
      { a: { terms: { field: 'x' }, aggs: {}, aggregations: {} } },
      'parsing_exception',
      'Found two sub aggregation definitions under [a]',
    ],
    [
      { a: { ...avg, aggs: { b: avg } } },
      'aggregation_initialization_exception',
      'Aggregator [a] of type [avg] cannot accept sub-aggregations',
    ],
    [terms({ zz: 1 }), 'x_content_parse_exception', '[terms] unknown field [zz]'],
    [
      terms({ siz: 1 }),
      'x_content_parse_exception',
      '[terms] unknown field [siz] did you mean [size]?',
    ],
    [
      { a: { terms: {} } },
      'illegal_argument_exception',
      'Required one of fields [field, script], but none were specified. ',
    ],
    [terms({ script: 'x' }), 'illegal_argument_exception', '[kibana-clickhouse] unsupported: '],
    [histogram({}), 'illegal_argument_exception', ''],
    [
      histogram({ interval: '86400000' }),
      'illegal_argument_exception',
      'Unable to parse interval [86400000]',
    ],
    [histogram({ interval: '2w' }), 'illegal_argument_exception', 'Unable to parse interval [2w]'],
  ])('%j', (body, type, reason) => {
    const error = refusal(body);
    expect(error).toMatchObject({ type, message: expect.stringContaining(reason) });
    expect(error.status).toBe(type === 'aggregation_initialization_exception' ? 500 : 400);
  });

  const time = 'as a time value: unit is missing or unrecognized';
  test.each<[JsonValue, string, string, string]>([
    [
      terms({ size: 0 }),
      '[terms] failed to parse field [size]',
      'illegal_argument_exception',
      '[size] must be greater than 0. Found [0] in [a]',
    ],
    [
      terms({ min_doc_count: -1 }),
      '[terms] failed to parse field [min_doc_count]',
      'illegal_argument_exception',
      '[minDocCount] must be greater than or equal to 0. Found [-1] in [a]',
    ],
    [
      histogram({ fixed_interval: '1w' }),
      '[date_histogram] failed to parse field [fixed_interval]',
      'illegal_argument_exception',
      `failed to parse setting [date_histogram.fixedInterval] with value [1w] ${time}`,
    ],
    [
      histogram({ fixed_interval: '1.5h' }),
      '[date_histogram] failed to parse field [fixed_interval]',
      'illegal_argument_exception',
      'failed to parse [1.5h], fractional time values are not supported',
    ],
    [
      histogram({ fixed_interval: '1M' }),
      '[date_histogram] failed to parse field [fixed_interval]',
      'illegal_argument_exception',
      `failed to parse setting [date_histogram.fixedInterval] with value [1M] ${time}`,
    ],
    [
      histogram({ calendar_interval: '2d' }),
      '[date_histogram] failed to parse field [calendar_interval]',
      'illegal_argument_exception',
      'The supplied interval [2d] could not be parsed as a calendar interval.',
    ],
    [
      histogram({ fixed_interval: '1h', calendar_interval: '1h' }),
      '[date_histogram] failed to parse field [calendar_interval]',
      'illegal_argument_exception',
      'Cannot use [calendar_interval] with [fixed_interval] configuration option.',
    ],
    [
      histogram({ fixed_interval: '1h', offset: '1h30m' }),
      '[date_histogram] failed to parse field [offset]',
      'illegal_argument_exception',
      'failed to parse [1h30m]',
    ],
    [
      histogram({ fixed_interval: '1h', time_zone: 'Mars/Base' }),
      '[date_histogram] failed to parse field [time_zone]',
      'zone_rules_exception',
      'Unknown time-zone ID: Mars/Base',
    ],
  ])('%j, with its cause', (body, message, type, reason) => {
    const error = refusal(body);
    expect(error).toMatchObject({ type: 'x_content_parse_exception', message, status: 400 });
    expect(error.causes[0]).toEqual({ type, reason });
  });

  test('every other aggregation of Elasticsearch, by name', () => {
    for (const type of elasticsearchAggregations) {
      if (aggregationTypes.has(type)) continue;
      expect(refusal({ a: { [type]: {} } }).message).toBe(
        `[kibana-clickhouse] unsupported: aggregation [${type}]`,
      );
    }
  });
});
