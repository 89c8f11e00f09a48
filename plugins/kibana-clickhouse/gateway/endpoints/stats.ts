import { illegalArgument, unsupported } from '../../common/errors/catalogue';
import type { JsonObject } from '../../common/json/json';
import { listParameter } from '../../search/request/coerce';
import { commonParameters, indicesParameters } from '../../search/request/url-parameters';
import { indexSize } from '../index-size';
import { indexUuid } from '../index-settings';
import type { GatewayRequest } from './definition';
import { filtered, onIndexes } from './on-indexes';

const parameters: readonly string[] = [
  ...commonParameters,
  ...indicesParameters,
  'forbid_closed_indices',
  'include_segment_file_sizes',
  'include_unloaded_segments',
  'level',
];

/** What Elasticsearch counts besides documents and bytes: a table has none of it. */
const otherMetrics: readonly string[] = [
  ...['bulk', 'completion', 'fielddata', 'flush', 'get', 'indexing', 'merge', 'query_cache'],
  ...['recovery', 'refresh', 'request_cache', 'search', 'segments', 'shard_stats', 'suggest'],
  ...['translog', 'warmer', 'dense_vector', 'sparse_vector', 'mappings'],
];

/** `GET /{index}/_stats[/{metric}]`: how many documents and bytes there are, by index and together. */
export const handler = onIndexes(parameters, async (names, request, runtime) => {
  const metrics = askedMetrics(request);
  const level = askedLevel(request);
  const sizes = await Promise.all(
    names.map(async (index) => ({
      index,
      uuid: indexUuid(await runtime.table(index)),
      ...(await indexSize(index, request, runtime)),
    })),
  );
  const all = sizes.reduce(
    (sum, { rows, bytes = 0 }) => ({ rows: sum.rows + rows, bytes: sum.bytes + bytes }),
    { rows: 0, bytes: 0 },
  );
  const indices = sizes.map(({ index, uuid, rows, bytes = 0 }) => [
    index,
    { uuid, ...both({ rows, bytes }, metrics) },
  ]);
  return filtered(request, {
    _shards: { total: names.length, successful: names.length, failed: 0 },
    _all: sizes.length === 0 ? { primaries: {}, total: {} } : both(all, metrics),
    ...(level === 'indices' && { indices: Object.fromEntries(indices) as JsonObject }),
  });
});

interface Size {
  readonly rows: number;
  readonly bytes: number;
}

/** There are no replicas: the primaries are all there is. */
function both({ rows, bytes }: Size, metrics: ReadonlySet<string>): JsonObject {
  const counted: JsonObject = {
    ...(metrics.has('docs') && { docs: { count: rows, deleted: 0 } }),
    ...(metrics.has('store') && {
      store: { size_in_bytes: bytes, total_data_set_size_in_bytes: bytes, reserved_in_bytes: 0 },
    }),
  };
  return { primaries: counted, total: counted };
}

function askedMetrics({ path, params }: GatewayRequest): ReadonlySet<string> {
  const asked = listParameter(params['metric'] ?? '');
  const known = ['docs', 'store'];
  if (asked.length === 0 || (asked.length === 1 && asked[0] === '_all')) return new Set(known);
  const unknown = asked.find((name) => ![...known, ...otherMetrics].includes(name));
  if (unknown !== undefined)
    throw illegalArgument(`request [${path}] contains unrecognized metric: [${unknown}]`);
  const other = asked.find((name) => !known.includes(name));
  if (other !== undefined) throw unsupported(`the metric [${other}] of a _stats request`);
  return new Set(asked);
}

function askedLevel({ query }: GatewayRequest): string {
  const level = query.get('level') ?? 'indices';
  if (level === 'shards') throw unsupported('[level=shards] of a _stats request');
  if (level === 'cluster' || level === 'indices') return level;
  throw illegalArgument(
    `level parameter must be one of [cluster] or [indices] or [shards] but was [${level}]`,
  );
}
