const range = { range: { '@timestamp': { gte: 'now-24h', lte: 'now' } } };

/** A search as Kibana's Discover sends it: newest documents, total and histogram. */
const discover = {
  size: 3,
  track_total_hits: true,
  sort: [{ '@timestamp': { order: 'desc', unmapped_type: 'boolean' } }],
  fields: [{ field: '@timestamp', format: 'strict_date_optional_time' }],
  query: { bool: { filter: [range], must_not: [{ term: { status: 404 } }] } },
  aggs: {
    histogram: {
      date_histogram: {
        field: '@timestamp',
        fixed_interval: '1h',
        time_zone: 'Europe/Berlin',
        min_doc_count: 0,
      },
    },
  },
} as const;

const multiSearch = [
  { index: 'access_log' },
  { size: 0, track_total_hits: true, query: range },
  { index: 'access_log' },
  { size: 1, query: { bool: { filter: [{ term: { status: 503 } }, range] } } },
] as const;

const terms = {
  size: 0,
  aggs: {
    hosts: {
      terms: { field: 'host', size: 5 },
      aggs: { latency: { avg: { field: 'latency_ms' } } },
    },
  },
} as const;

const curl = (url: string, type: string, body: string): string =>
  `curl -s '${url}' -H 'content-type: application/${type}' --data-binary '${body}'`;

/** Three requests on the demo table to paste into a shell: Discover, several searches, a terms aggregation. */
export const exampleRequests = (gateway: string): readonly string[] => [
  curl(`${gateway}/access_log/_search`, 'json', JSON.stringify(discover)),
  curl(
    `${gateway}/_msearch`,
    'x-ndjson',
    multiSearch.map((line) => `${JSON.stringify(line)}\n`).join(''),
  ),
  curl(`${gateway}/access_log/_search`, 'json', JSON.stringify(terms)),
];

/** The search that shows that the demo table is answered. */
export const demoProbe = JSON.stringify(terms);
