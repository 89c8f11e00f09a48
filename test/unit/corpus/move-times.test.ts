import { moveTimes } from '../../corpus/move-times';

const hour = 3_600_000;
const start = Date.UTC(2024, 0, 10);
/** A document each hour for three days, and each minute in the second one. */
const timeline = [
  ...Array.from({ length: 72 }, (_, i) => start + i * hour),
  ...Array.from({ length: 1440 }, (_, i) => start + 24 * hour + i * 60_000),
].sort((a, b) => a - b);
const moved = (value: Parameters<typeof moveTimes>[0]): unknown => moveTimes(value, timeline);

describe('the times of a recorded request', () => {
  it('move together by whole days to where the most documents are', () => {
    expect(
      moved({
        query: {
          range: { t: { gte: '2020-02-28T10:00:00.000Z', lte: '2020-02-28T10:15:00.000Z' } },
        },
        aggs: {
          h: { date_histogram: { extended_bounds: { min: 1582884000000, max: '1582884900000' } } },
        },
        search_after: [1582884000000, 17],
        script: 'x > 1582884000000L',
        query_string: '@timestamp:[2020-02-27 TO 2020-02-28]',
      }),
    ).toEqual({
      query: { range: { t: { gte: '2024-01-11T10:00:00.000Z', lte: '2024-01-11T10:15:00.000Z' } } },
      aggs: {
        h: { date_histogram: { extended_bounds: { min: 1704967200000, max: '1704968100000' } } },
      },
      search_after: [1704967200000, 17],
      script: 'x > 1704967200000L',
      query_string: '@timestamp:[2024-01-10 TO 2024-01-11]',
    });
  });

  it('stay where the range already holds as much as it could', () => {
    const request = { range: { t: { gte: '2024-01-01T00:00:00Z', lt: '2024-02-01T00:00:00Z' } } };
    expect(moved(request)).toEqual(request);
  });

  it('follow the widest of several ranges', () => {
    const narrow = { gte: '2019-05-01T00:00:00Z', lte: '2019-05-01T00:01:00Z' };
    const wide = { from: '2019-05-02T00:00:00Z', to: '2019-05-02T23:59:00Z' };
    expect(moved([narrow, wide])).toEqual([
      { gte: '2024-01-10T00:00:00Z', lte: '2024-01-10T00:01:00Z' },
      { from: '2024-01-11T00:00:00Z', to: '2024-01-11T23:59:00Z' },
    ]);
  });

  it('move with a range that is open at one end', () => {
    expect(moved({ gte: '2030-01-01T00:00:00Z' })).toEqual({ gte: '2024-01-10T00:00:00Z' });
  });

  it('become the dataset’s own where they are relative or placeholders', () => {
    expect(moved({ gte: 'now-15m', lte: 'now', from: '#{startTime}', to: '#{endTime}' })).toEqual({
      gte: '2024-01-11T12:00:00.000Z||-15m',
      lte: '2024-01-11T12:00:00.000Z',
      from: '2024-01-10T00:00:00.000Z',
      to: '2024-01-12T23:00:00.000Z',
    });
  });

  it('are all that changes', () => {
    const request = {
      query: { term: { id: '12345-12-123', now: 'now', version: '1.2.3' } },
      size: 2147483647,
      flags: [true, null, 1.5],
    };
    expect(moved(request)).toEqual(request);
  });
});
