import {
  type Dataset,
  date,
  dateNanos,
  day,
  integer,
  ip,
  ipv4,
  keyword,
  long,
  seconds,
} from './dataset';
import { numbered } from './edges';

/** Dates before 1970 and after 2106, and fractions of seconds. */
export const dates: Dataset = {
  name: 'dates',
  uniqueField: 'n',
  orderBy: ['n'],
  columns: [
    integer('n'),
    date('ms', { nullable: true }),
    dateNanos('nanos', { nullable: true }),
    day('day', { nullable: true }),
    seconds('sec', { nullable: true }),
    date('several', { array: true }),
  ],
  rows: () =>
    numbered([
      { ms: '1905-03-04T05:06:07.890Z', day: '1905-03-04' },
      { ms: '1969-12-31T23:59:59.999Z', day: '1969-12-31' },
      {
        ms: '1970-01-01T00:00:00.000Z',
        nanos: '1970-01-01T00:00:00.000Z',
        day: '1970-01-01',
        sec: '1970-01-01T00:00:00Z',
      },
      {
        ms: '2024-02-29T12:34:56.789Z',
        nanos: '2024-02-29T12:34:56.789123456Z',
        day: '2024-02-29',
        sec: '2024-02-29T12:34:56Z',
        several: ['2024-02-29T00:00:00.000Z', '2024-03-01T00:00:00.000Z'],
      },
      {
        ms: '2024-02-29T23:59:59.999Z',
        nanos: '2024-02-29T23:59:59.999999999Z',
        day: '2024-02-29',
        sec: '2024-02-29T23:59:59Z',
      },
      {
        ms: '2024-03-01T00:00:00.000Z',
        nanos: '2024-03-01T00:00:00.000000001Z',
        day: '2024-03-01',
        sec: '2024-03-01T00:00:00Z',
        several: ['2024-03-01T00:00:00.000Z', '2024-03-01T12:00:00.000Z'],
      },
      {
        ms: '2024-12-30T00:00:00.000Z',
        nanos: '2024-12-30T00:00:00.120Z',
        day: '2024-12-30',
        sec: '2024-12-30T00:00:00Z',
      },
      { ms: '2106-02-07T06:28:15.000Z', day: '2106-02-07', sec: '2106-02-07T06:28:15Z' },
      { ms: '2107-01-01T00:00:00.000Z', day: '2107-01-01' },
      { ms: '2250-06-15T10:00:00.001Z', nanos: '2250-06-15T10:00:00.001Z', day: '2250-06-15' },
      {},
    ]),
};

const around = (changes: readonly string[], stepMinutes: number): readonly string[] =>
  changes.flatMap((change) =>
    Array.from({ length: 16 }, (_, i) =>
      new Date(Date.parse(change) + (i - 8) * stepMinutes * 60_000).toISOString(),
    ),
  );

/** The moments at which clocks change, and what comes before and after: Warsaw, New York, Lord Howe, Havana, São Paulo, Kolkata. */
const changes: readonly string[] = [
  '2018-11-04T03:00:00.000Z',
  '2024-03-10T07:00:00.000Z',
  '2024-03-31T01:00:00.000Z',
  '2024-04-06T15:00:00.000Z',
  '2024-10-05T15:30:00.000Z',
  '2024-10-27T01:00:00.000Z',
  '2024-11-03T05:00:00.000Z',
  '2024-11-03T06:00:00.000Z',
];

/** Every half an hour, and a few minutes beside, around changes of clocks in several zones. */
export const clockChanges: Dataset = {
  name: 'clock_changes',
  uniqueField: 'n',
  orderBy: ['at', 'n'],
  columns: [date('at'), integer('n'), keyword('kind'), long('value')],
  rows: () =>
    [...around(changes, 30), ...around(changes, 217)]
      .sort()
      .map((at, i) => ({ at, n: i + 1, kind: i % 3 === 0 ? 'a' : 'b', value: i * 7 - 100 })),
};

/** IPv4 and IPv6. */
export const addresses: Dataset = {
  name: 'addresses',
  uniqueField: 'n',
  orderBy: ['n'],
  columns: [
    integer('n'),
    ip('ip', { nullable: true }),
    ipv4('v4', { nullable: true }),
    ip('several', { array: true }),
  ],
  rows: () =>
    numbered([
      { ip: '::', v4: '0.0.0.0' },
      { ip: '::1', v4: '127.0.0.1' },
      { ip: '::ffff:10.0.0.1', v4: '10.0.0.1', several: ['::ffff:10.0.0.1', '2001:db8::1'] },
      { ip: '::ffff:10.0.0.255', v4: '10.0.0.255' },
      { ip: '::ffff:10.0.1.0', v4: '10.0.1.0', several: ['::ffff:10.0.1.0'] },
      { ip: '::ffff:192.168.1.10', v4: '192.168.1.10' },
      { ip: '::ffff:255.255.255.255', v4: '255.255.255.255' },
      { ip: '2001:db8::1' },
      { ip: '2001:db8::ff00:42:8329' },
      { ip: 'fe80::1' },
      { ip: 'ffff:ffff:ffff:ffff:ffff:ffff:ffff:ffff' },
      {},
    ]),
};
