import type { JsonValue } from '../../../plugins/kibana-clickhouse/common/json/json';
import { type Documents, openDocuments } from './documents';

/*
 * Expected answers are Elasticsearch 7.17's. now is 2024-05-15T10:20:30.400Z, a Wednesday.
 * Ids say when: 1 before 1970, 2 in 1970, 3 to 7 in 2024, 8 after 2106, 9 without any date.
 */
const statements = [
  `CREATE TABLE docs (
    id UInt32, ts Nullable(DateTime64(3, 'UTC')), coarse Nullable(DateTime64(0, 'UTC')),
    micro Nullable(DateTime64(6, 'UTC')), nano Nullable(DateTime64(9, 'UTC')), day Nullable(Date),
    day32 Nullable(Date32), dt Nullable(DateTime('Europe/Warsaw')), ms_time Nullable(Int64),
    s_time Nullable(UInt32), us_time Nullable(Int64), many Array(DateTime64(3, 'UTC'))
  ) ENGINE = MergeTree ORDER BY id`,
  ...[
    [1, '1969-07-20 20:17:40.123'],
    [2, '1970-01-01 00:00:00.000'],
    [3, '2024-01-01 00:00:00.000'],
    [4, '2024-01-01 23:59:59.999'],
    [5, '2024-02-29 12:00:00.001'],
    [6, '2024-05-15 10:20:30.400'],
    [7, '2024-05-13 00:00:00.000'],
    [8, '2150-12-31 23:59:59.999'],
  ].map(
    ([id, text]) => `INSERT INTO docs WITH toDateTime64('${String(text)}', 3, 'UTC') AS t SELECT
      ${String(id)}, t, t, t, t, if(t >= toDateTime64('1970-01-01', 3, 'UTC') AND t < toDateTime64('2149-01-01', 3, 'UTC'), toDate(t), NULL),
      toDate32(t), if(t >= toDateTime64('1970-01-01', 3, 'UTC') AND t < toDateTime64('2106-01-01', 3, 'UTC'), toDateTime(t, 'UTC'), NULL),
      toUnixTimestamp64Milli(t),
      if(t >= toDateTime64('1970-01-01', 3, 'UTC') AND t < toDateTime64('2106-01-01', 3, 'UTC'), toUInt32(intDiv(toUnixTimestamp64Milli(t), 1000)), NULL),
      toUnixTimestamp64Milli(t) * 1000, [t, t + toIntervalDay(1)]`,
  ),
  `INSERT INTO docs (id) VALUES (9)`,
];

let documents: Documents;
beforeAll(async () => {
  documents = await openDocuments(statements);
});
afterAll(() => documents.close());

const range = (field: string, bounds: JsonValue): JsonValue => ({ range: { [field]: bounds } });

test('the fields are dates', () => {
  const types = [...documents.table.fields.values()].map(({ name, type, time }) => [
    name,
    type,
    time?.kind === 'epoch' ? time.unit : undefined,
  ]);
  expect(types).toEqual([
    ['id', 'long', undefined],
    ['ts', 'date', undefined],
    ['coarse', 'date', undefined],
    ['micro', 'date_nanos', undefined],
    ['nano', 'date_nanos', undefined],
    ['day', 'date', undefined],
    ['day32', 'date', undefined],
    ['dt', 'date', undefined],
    ['ms_time', 'date', 'ms'],
    ['s_time', 'date', 's'],
    ['us_time', 'date', 'us'],
    ['many', 'date', undefined],
  ]);
  expect(documents.table.timeField).toBe('ts');
});

describe('range on ts', () => {
  test.each<[JsonValue, readonly number[]]>([
    [{ gte: '2024-01-01', lte: '2024-01-01' }, [3, 4]],
    [{ gte: '2024-01-01T00:00:00.000Z', lte: '2024-01-01T23:59:59.998Z' }, [3]],
    [{ gte: '2024-01-01', lt: '2024-01-02' }, [3, 4]],
    [{ gt: '2024-01-01', lt: '2024-03' }, [5]],
    // missing month and day are 01, missing time parts of lte and gt the last
    [{ gte: '2024', lte: '2024' }, [3, 4]],
    [{ gte: '2024-02', lte: '2024-02' }, []],
    [{ gt: '2024-01', lte: '2024-02-29T12' }, [5]],
    [{ gte: '2024-02-29T12:00:00', lte: '2024-02-29T12:00:00' }, [5]],
    [{ gte: '2024-02-29T12:00:00.001', lte: '2024-02-29T12:00:00.001' }, [5]],
    [{ lte: '2024-02-29T12:00:00.0', gt: '2024-01-02' }, []],
    [{ gte: '2024-01-01T01:00:00+01:00', lt: '2024-01-01T01:00:00.001+01:00' }, [3]],
    [{ gte: '2024-01-01T00:00:00', lte: '2024-01-01T00:59:59', time_zone: '+01:00' }, []],
    [{ gte: '2024-01-01T01:00:00', lte: '2024-01-01T01:00:00', time_zone: '+01:00' }, [3]],
    [
      { gte: '2024-02-29T13:00:00.001', lt: '2024-02-29T13:00:00.002', time_zone: 'Europe/Warsaw' },
      [5],
    ],
    // epoch ms, as number and as text; a time zone moves them too
    [{ gte: 1704067200000, lt: 1704067200001 }, [3]],
    [{ gte: '1704067200000', lte: '1704067200000' }, [3]],
    [{ gte: 1704070800000, lt: 1704070800001, time_zone: '+01:00' }, [3]],
    [{ gte: 1704067200, lte: 1704067200, format: 'epoch_second' }, [3]],
    [{ lt: -10000 }, [1]],
    [{ lt: 0 }, [1]],
    [{ lte: 0 }, [1, 2]],
    [{ gte: 2024, lte: 2024, format: 'yyyy' }, [3, 4]],
    [{ gte: '01/01/2024', lte: '01/01/2024', format: 'dd/MM/yyyy' }, [3, 4]],
    [{ gte: '2024-01-01', lte: '1.1.2024', format: 'd.M.yyyy||yyyy-MM-dd' }, [3, 4]],
    // date math
    [{ gte: 'now' }, [6, 8]],
    [{ gt: 'now' }, [8]],
    [{ gte: 'now/d', lte: 'now/d' }, [6]],
    [{ gte: 'now-1w/w', lt: 'now/w' }, []],
    [{ gte: 'now/w', lte: 'now/w' }, [6, 7]],
    [{ gte: 'now/y', lte: 'now/y' }, [3, 4, 5, 6, 7]],
    [{ gt: 'now-2d/d', lte: 'now' }, [6]],
    [{ gte: 'now-2d/d', lte: 'now' }, [6, 7]],
    [{ gte: 'now/d', lte: 'now/d', time_zone: '-10:30' }, [6]],
    [{ gte: 'now/d', lte: 'now/d', time_zone: '+14:00' }, [6]],
    [{ gte: 'now-1d/d', lt: 'now/d', time_zone: '-10:30' }, []],
    [{ gte: 'now-2d/d', lt: 'now/d', time_zone: '-10:30' }, [7]],
    [{ gte: '2024-01-31||+1M', lt: '2024-01-31||+1M+1d' }, [5]],
    [{ gte: '2024-02-29||/M', lte: '2024-02-29||/M' }, [5]],
    [{ gte: '2023-12-31||+1d', lte: '2023-12-31||+1d' }, [3]],
    // outside of what the types hold
    [{ gte: '0001-01-01', lte: '9999-12-31' }, [1, 2, 3, 4, 5, 6, 7, 8]],
    [{ gte: '9999-01-01' }, []],
    [{ lt: '1800-01-01' }, []],
    [{ gte: '-1000-01-01', lt: '1970-01-01' }, [1]],
    [{ lte: 6249223180800000 }, [1, 2, 3, 4, 5, 6, 7, 8]],
    [{ gte: '2024-01-02', lt: '2024-01-01' }, []],
    [{}, [1, 2, 3, 4, 5, 6, 7, 8]],
    [{ gte: null, lte: '1969-12-31' }, [1]],
  ])('%j', async (bounds, ids) => {
    expect(await documents.find(range('ts', bounds))).toEqual(ids);
    // the same moments, counted in ms
    expect(await documents.find(range('ms_time', bounds))).toEqual(ids);
    expect(await documents.find(range('us_time', bounds))).toEqual(ids);
  });
});

describe('range on other encodings', () => {
  const january = { gte: '2024-01-01', lte: '2024-01-01' };
  test.each<[string, JsonValue, readonly number[]]>([
    ['coarse', january, [3, 4]],
    ['coarse', { gt: '2024-01-01T00:00:00.500', lte: '2024-01-01' }, [4]],
    ['micro', january, [3, 4]],
    ['micro', { lt: '1970-01-01' }, [1]],
    ['nano', january, [3, 4]],
    ['nano', { gte: '2024-02-29T12:00:00.001000000Z', lt: '2024-02-29T12:00:00.001000001Z' }, [5]],
    ['nano', { gt: '2024-02-29T12:00:00.001000000Z', lt: '2024-03' }, []],
    ['nano', { gte: '1000-01-01', lte: '9999-01-01' }, [1, 2, 3, 4, 5, 6, 7, 8]],
    ['day', january, [3, 4]],
    ['day', { gte: '2024-01-01T00:00:01' }, [5, 6, 7]],
    ['day', { lt: '2024-01-01T00:00:01' }, [2, 3, 4]],
    ['day', { gte: '1900-01-01', lte: '2500-01-01' }, [2, 3, 4, 5, 6, 7]],
    ['day', { gte: '2500-01-01' }, []],
    ['day', { lt: '1970-01-01' }, []],
    ['day32', { lt: '1970-01-01' }, [1]],
    ['day32', { gte: '2150-12-31' }, [8]],
    ['day32', { gte: '1000-01-01', lte: '9000-01-01' }, [1, 2, 3, 4, 5, 6, 7, 8]],
    ['dt', january, [3, 4]],
    ['dt', { gte: '1800-01-01', lte: '2200-01-01' }, [2, 3, 4, 5, 6, 7]],
    ['dt', { gte: '2200-01-01' }, []],
    ['dt', { gte: '2024-02-29T12:00:00.001' }, [6, 7]],
    ['s_time', january, [3, 4]],
    ['s_time', { gte: '1800-01-01', lt: '2500-01-01' }, [2, 3, 4, 5, 6, 7]],
    ['s_time', { gte: '2500-01-01' }, []],
    ['many', { gte: '2024-01-02', lt: '2024-01-03' }, [3, 4]],
    ['many', {}, [1, 2, 3, 4, 5, 6, 7, 8]],
  ])('%s %j', async (field, bounds, ids) => {
    expect(await documents.find(range(field, bounds))).toEqual(ids);
  });
});

test('term means the span that its string names', async () => {
  const find = (value: JsonValue) => documents.find({ term: { ts: value } });
  expect(await find('2024-01-01')).toEqual([3, 4]);
  expect(await find('2024')).toEqual([3, 4]);
  expect(await find('2024-01-01T23:59:59.999Z')).toEqual([4]);
  expect(await find(1704067200000)).toEqual([3]);
  expect(await documents.find({ terms: { ts: ['2024-01-01', 0] } })).toEqual([2, 3, 4]);
  expect(await documents.find({ bool: { must_not: { term: { ts: '2024' } } } })).toEqual([
    1, 2, 5, 6, 7, 8, 9,
  ]);
});

test.each<[JsonValue, string, string]>([
  [
    range('ts', { gte: 'abc' }),
    'parse_exception',
    'failed to parse date field [abc] with format [strict_date_optional_time||epoch_millis]',
  ],
  [
    range('ts', { gte: '2024-13-01' }),
    'parse_exception',
    'failed to parse date field [2024-13-01]',
  ],
  [
    range('ts', { gte: '2023-02-29' }),
    'parse_exception',
    'failed to parse date field [2023-02-29]',
  ],
  [range('ts', { gte: '1.7E12' }), 'parse_exception', 'failed to parse date field [1.7E12]'],
  [range('ts', { gte: -15500 }), 'parse_exception', 'failed to parse date field [-15500]'],
  [range('ts', { gte: true }), 'parse_exception', 'failed to parse date field [true]'],
  [
    range('ts', { gte: 1704067200000, format: 'strict_date_optional_time' }),
    'parse_exception',
    'failed to parse date field [1704067200000]',
  ],
  [range('ts', { gte: 'now-1x' }), 'parse_exception', 'unit [x] not supported for date math [-1x]'],
  [range('ts', { gte: 'now*1d' }), 'parse_exception', 'operator not supported for date math [*1d]'],
  [range('ts', { gte: 'now-' }), 'parse_exception', 'truncated date math [-]'],
  [
    range('ts', { gte: '2024', format: 'no format' }),
    'illegal_argument_exception',
    'Invalid format: [no format]',
  ],
  [range('ts', { gte: '2024', time_zone: 'Mars/Base' }), 'illegal_argument_exception', 'Mars/Base'],
  [
    { term: { ts: 'abc' } },
    'query_shard_exception',
    'failed to create query: failed to parse date field [abc]',
  ],
])('%j is refused', async (query, type, reason) => {
  const error: unknown = await documents.find(query).catch((failure: unknown) => failure);
  expect(error).toMatchObject({ status: 400, type });
  expect((error as Error).message).toContain(reason);
});
