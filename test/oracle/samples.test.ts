import type { JsonObject } from '../../plugins/kibana-clickhouse/common/json/json';
import { readSamples, sampleFolder } from '../datasets/samples';
import { closeClient } from '../gateway/client';
import { describeJudged } from '../judge/describe-judged';
import { compareAnswers } from './compare';
import { type Oracle, openOracle } from './oracle';
import { printComparison } from './print-difference';

const folder = sampleFolder();
if (folder === undefined)
  process.stdout.write('Skipped: real documents (SAMPLE_DATA names no folder)\n');
const describeSamples = folder === undefined ? describe.skip : describeJudged;

const page = (sort: string): JsonObject => ({
  size: 200,
  sort: [{ [sort]: 'desc' }, { line: 'asc' }],
});
const counted = (aggs: JsonObject): JsonObject => ({ size: 0, track_total_hits: true, aggs });
const days = (field: string): JsonObject => ({
  date_histogram: { field, calendar_interval: '1d', time_zone: 'Europe/Warsaw' },
});
const terms = (field: string, more: JsonObject = {}): JsonObject => ({ terms: { field, ...more } });

/** Requests as the dashboards that come with these documents send them. */
const requests: readonly (readonly [index: string, body: JsonObject])[] = [
  ['sample_logs', { ...page('timestamp'), fields: ['*'] }],
  [
    'sample_logs',
    counted({ a: { ...days('timestamp'), aggs: { b: { avg: { field: 'bytes' } } } } }),
  ],
  ['sample_logs', counted({ a: { ...days('@timestamp'), aggs: { b: terms('tags.keyword') } } })],
  [
    'sample_logs',
    counted({ a: { ...terms('geo.src', { size: 20 }), aggs: { b: terms('response.keyword') } } }),
  ],
  [
    'sample_logs',
    { ...counted({ a: terms('clientip') }), query: { term: { clientip: '30.0.0.0/8' } } },
  ],
  [
    'sample_logs',
    { ...counted({}), aggs: { a: terms('extension') }, query: { exists: { field: 'memory' } } },
  ],
  [
    'sample_logs',
    {
      ...counted({ a: terms('extension.keyword') }),
      query: { term: { message: 'mozilla/5.0 (x11' } },
    },
  ],
  ['sample_flights', { ...page('timestamp'), fields: ['*'] }],
  [
    'sample_flights',
    counted({
      a: {
        ...terms('Carrier'),
        aggs: { b: { avg: { field: 'AvgTicketPrice' } }, c: days('timestamp') },
      },
    }),
  ],
  [
    'sample_flights',
    counted({
      a: {
        ...terms('DestWeather', { order: { b: 'desc' } }),
        aggs: { b: { avg: { field: 'FlightDelayMin' } } },
      },
    }),
  ],
  [
    'sample_flights',
    {
      ...counted({ a: terms('Cancelled') }),
      query: { range: { DistanceKilometers: { gte: 1000, lt: 5000.5 } } },
    },
  ],
  ['sample_ecommerce', { ...page('order_date'), fields: ['*'] }],
  [
    'sample_ecommerce',
    counted({
      a: { ...terms('category.keyword'), aggs: { b: { avg: { field: 'taxful_total_price' } } } },
    }),
  ],
  [
    'sample_ecommerce',
    counted({
      a: {
        ...terms('products.manufacturer.keyword', { size: 3 }),
        aggs: { b: days('order_date') },
      },
    }),
  ],
  ['sample_ecommerce', counted({ a: { avg: { field: 'products.price' } } })],
  [
    'sample_ecommerce',
    {
      ...page('line'),
      query: {
        bool: {
          filter: [{ range: { 'products.quantity': { gt: 1 } } }],
          must_not: [{ term: { day_of_week: 'Monday' } }],
        },
      },
    },
  ],
];

describeSamples('real documents', () => {
  let oracle: Oracle;

  beforeAll(async () => {
    oracle = await openOracle({ datasets: await readSamples(folder ?? '') });
  }, 300_000);

  afterAll(async () => {
    await oracle.close();
    closeClient();
  });

  test.each(requests)(
    '%s: %j',
    async (index, body) => {
      const both = await oracle.ask({ path: `/${index}/_search`, body });
      const differences = compareAnswers(both.ours, both.theirs, { request: both.request });
      if (differences.length > 0)
        throw new Error(printComparison(both, differences, await oracle.sql(both.request)));
      expect(both.theirs.status).toBe(200);
    },
    90_000,
  );
});
