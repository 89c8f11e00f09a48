import { Elasticsearch } from '../../plugins/kibana-clickhouse/metadata/forward';
import { NamesElsewhere } from '../../plugins/kibana-clickhouse/metadata/names-elsewhere';
import { Upstream } from './upstream';

let upstream: Upstream;
let elasticsearch: Elasticsearch;
let now = 0;
let names: NamesElsewhere;

beforeEach(async () => {
  upstream = await Upstream.start();
  elasticsearch = new Elasticsearch([upstream.host]);
  now = 1_000_000;
  names = new NamesElsewhere(elasticsearch, () => now);
});

afterEach(async () => {
  await elasticsearch.close();
  await upstream.stop();
});

const named = (token = 'a') =>
  names.named('lo*,-x/y', { prefix: '/es', headers: ['Authorization', token] });

const answer = {
  body: '{"indices":[{"name":"b"},{"name":"a"}],"aliases":[{"name":"c"}],"data_streams":[{"name":"a"}]}',
};

it('asks with the caller’s own headers, and keeps the answer for 10 s per caller', async () => {
  upstream.reply = () => answer;
  expect(await named()).toEqual(['a', 'b', 'c']);
  now += 9_999;
  await named();
  expect(upstream.received).toHaveLength(1);
  expect(upstream.received[0]).toMatchObject({
    url: '/es/_resolve/index/lo*,-x%2Fy',
    headers: { authorization: 'a' },
  });
  await named('b');
  now += 1;
  await named();
  expect(upstream.received).toHaveLength(3);
});

it('takes the last answer where Elasticsearch is away, else nothing', async () => {
  upstream.reply = () => answer;
  await named();
  await upstream.stop();
  now += 60_000;
  expect(await named()).toEqual(['a', 'b', 'c']);
  expect(await named('b')).toEqual([]);
});

it('takes a refusal for no names', async () => {
  upstream.reply = () => ({ status: 403, body: '{"error":{}}' });
  expect(await named()).toEqual([]);
});
