import {
  RecordQueue,
  type QueuedRecord,
} from '../../../plugins/kibana-clickhouse/metadata/monitor/record-queue';

const queued = (id: string, sql = ''): QueuedRecord => ({
  id,
  record: {
    timestamp: 0,
    index: 'i',
    table: 't',
    sql,
    key: '',
    fingerprint: '',
    startTime: 0,
    endTime: 0,
    cost: 0,
    samplingRate: 1,
    cacheHit: false,
  },
});
const ids = (records: readonly QueuedRecord[]): string => records.map(({ id }) => id).join('');

it('takes no more records than its bound, and again when some are gone', () => {
  const queue = new RecordQueue({ records: 2, bytes: 1e9 });
  expect(['a', 'b', 'c'].map((id) => queue.offer(queued(id)))).toEqual([true, true, false]);
  queue.takeOut(queue.oldest({ records: 1, bytes: 1e9 }));
  expect(queue.offer(queued('d'))).toBe(true);
  expect(ids(queue.oldest({ records: 9, bytes: 1e9 }))).toBe('bd');
});

it('takes no more bytes than its bound', () => {
  const queue = new RecordQueue({ records: 100, bytes: 10_000 });
  expect(queue.offer(queued('a', 'x'.repeat(4_000)))).toBe(true);
  expect(queue.offer(queued('b', 'x'.repeat(1_000)))).toBe(false);
  queue.takeOut(queue.oldest({ records: 1, bytes: 1 }));
  expect(queue.offer(queued('c', 'x'.repeat(1_000)))).toBe(true);
  expect(queue.clear()).toBe(1);
  expect(queue.offer(queued('d', 'x'.repeat(4_000)))).toBe(true);
});

it('gives the oldest within limits, one at least', () => {
  const queue = new RecordQueue({ records: 100, bytes: 1e9 });
  for (const id of ['a', 'b', 'c']) queue.offer(queued(id, 'x'.repeat(1_000)));
  expect(ids(queue.oldest({ records: 2, bytes: 1e9 }))).toBe('ab');
  expect(ids(queue.oldest({ records: 9, bytes: 7_000 }))).toBe('ab');
  expect(ids(queue.oldest({ records: 9, bytes: 1 }))).toBe('a');
  expect(queue).toHaveLength(3);
});
