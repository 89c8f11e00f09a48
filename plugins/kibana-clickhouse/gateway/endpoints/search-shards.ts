import { commonParameters, indicesParameters } from '../../search/request/url-parameters';
import type { JsonObject } from '../../common/json/json';
import { indexUuid } from '../index-settings';
import { filtered, onIndexes } from './on-indexes';

const parameters: readonly string[] = [
  ...commonParameters,
  ...indicesParameters,
  'local',
  'master_timeout',
  'preference',
  'routing',
];

const node = 'clickhouse';

/** `GET|POST /{index}/_search_shards`: each table is one shard, on a node that stands for ClickHouse. */
export const handler = onIndexes(parameters, async (names, request, runtime) => {
  const shards = await Promise.all(
    names.map(async (index): Promise<readonly JsonObject[]> => {
      const id = indexUuid(await runtime.table(index));
      return [
        {
          ...{ state: 'STARTED', primary: true, node, relocating_node: null, shard: 0, index },
          allocation_id: { id },
        },
      ];
    }),
  );
  const nodes: JsonObject =
    names.length === 0 ? {} : { [node]: { name: node, attributes: {}, roles: ['data'] } };
  return filtered(request, {
    nodes,
    indices: Object.fromEntries(names.map((index) => [index, {}])),
    shards,
  });
});
