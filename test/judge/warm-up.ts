import { loadIndex } from './load';
import { judgeRequest } from './request';

const index = 'judge-warm-up';
const script = { source: "doc['n'].value > params.least", params: { least: 1 } };

/**
 * Makes the server load what a first request of each kind would otherwise wait for: index, bulk, query, script and
 * aggregation. Leaves nothing behind. Throws with the server's words when one of them fails.
 */
export async function warmUp(url: string): Promise<void> {
  await loadIndex(url, {
    index,
    mappings: { properties: { n: { type: 'long' }, t: { type: 'date' }, k: { type: 'keyword' } } },
    documents: [1, 2, 3].map((n) => ({
      source: { n, t: '2024-01-01T00:00:00Z', k: 'a', s: 'text' },
    })),
  });
  const { status, text } = await judgeRequest(url, 'POST', `/${index}/_search`, {
    query: { bool: { filter: [{ script: { script } }, { match: { s: 'text' } }] } },
    sort: [{ t: 'desc' }],
    fields: ['*'],
    aggs: {
      t: {
        date_histogram: { field: 't', fixed_interval: '1h', time_zone: 'Europe/Warsaw' },
        aggs: { k: { terms: { field: 'k' }, aggs: { n: { avg: { field: 'n' } } } } },
      },
    },
  });
  if (status !== 200) throw new Error(`The warm-up search failed: ${String(status)} ${text}`);
  await judgeRequest(url, 'DELETE', `/${index}`);
}
