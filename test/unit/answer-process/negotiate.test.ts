import {
  answerType,
  takesGzip,
} from '../../../plugins/kibana-clickhouse/gateway/answer-process/negotiate';
import { clickHouseUrls } from '../../../plugins/kibana-clickhouse/gateway/clickhouse-address';
import { parseAddress } from '../../../plugins/kibana-clickhouse/metadata/address';
import { forwardedHeaders } from '../../../plugins/kibana-clickhouse/metadata/headers';

const type = (headers: Record<string, string>) => answerType(new Map(Object.entries(headers)));

it('answers the compatible type that was asked for', () => {
  const v8 = 'application/vnd.elasticsearch+json; compatible-with=8';
  const answered = 'application/vnd.elasticsearch+json;compatible-with=8';
  expect(type({ accept: v8 })).toBe(answered);
  expect(type({ accept: `${v8},text/plain` })).toBe(answered);
  expect(type({ accept: '*/*', 'content-type': v8 })).toBe(answered);
  expect(type({ accept: 'application/json', 'content-type': v8 })).toMatch(/^application\/json/);
  expect(type({})).toBe('application/json; charset=UTF-8');
});

it.each([
  ['gzip', true],
  ['gzip, deflate', true],
  ['br;q=1.0, gzip;q=0.8', true],
  ['x-gzip', true],
  ['gzip;q=0', false],
  ['gzip;q=0.000', false],
  ['gzip;q=0.5', true],
  ['deflate', false],
  ['', false],
])('accept-encoding %j takes gzip: %s', (header, expected) => {
  expect(takesGzip(new Map([['accept-encoding', header]]))).toBe(expected);
});

it.each([
  ['ch:9000', 'http://ch:9000/'],
  ['ch', 'http://ch:8123/'],
  ['ch:80', 'http://ch/'],
  ['[::1]:8123', 'http://[::1]:8123/'],
  ['https://ch:8443/path', 'https://ch:8443/path'],
  ['http://u:p@ch', undefined],
  ['ftp://ch', undefined],
  ['ch:port', undefined],
  ['', undefined],
])('ck.url %j is %j', (text, url) => {
  expect(clickHouseUrls(text)).toEqual(url === undefined ? undefined : [url]);
});

it('ck.url names several servers', () => {
  expect(clickHouseUrls('a, b:9000,https://c')).toEqual([
    ...['http://a:8123/', 'http://b:9000/', 'https://c/'],
  ]);
  expect(clickHouseUrls('a,,b')).toBeUndefined();
  expect(clickHouseUrls('a,ftp://b')).toBeUndefined();
});

it.each([
  ['es:9201', 'http://es:9201', ''],
  ['es', 'http://es:9200', ''],
  ['es:80', 'http://es', ''],
  ['http://es', 'http://es', ''],
  ['https://es/es/v1/', 'https://es', '/es/v1'],
])('host %j is %j', (text, origin, path) => {
  expect(parseAddress(text)).toEqual({ origin, path });
});

it('sends on what belongs to the message, not to the connection', () => {
  const lines = ['Host', 'a', 'Connection', 'close, X-Odd', 'X-Odd', '1', 'Authorization', 't'];
  expect(forwardedHeaders([...lines, 'Cookie', 'a=1', 'Expect', '100-continue'])).toEqual([
    'Authorization',
    't',
    'Cookie',
    'a=1',
  ]);
});
