import { isJsonArray, isJsonObject, type JsonObject, type JsonValue } from '../../common/json/json';
import {
  commonParameters,
  indicesParameters,
  requireKnownParameters,
} from '../../search/request/url-parameters';
import { byteSize } from '../cat/byte-size';
import { catAnswer, type CatColumn, catParameters, type CatRow } from '../cat/cat-table';
import { listedIndexes } from '../index-expression';
import { indexSize } from '../index-size';
import { indexUuid } from '../index-settings';
import { listIndexes } from '../listed-indexes';
import type { Runtime } from '../runtime';
import { denialOf, denied, sendOn } from '../send-on';
import type { EndpointHandler, GatewayRequest } from './definition';
import { refuseBody } from './on-indexes';

const parameters: readonly string[] = [
  ...commonParameters,
  ...indicesParameters,
  ...catParameters,
  'health',
  'include_unloaded_segments',
  'pri',
];

const columns: readonly CatColumn[] = [
  { name: 'health', aliases: ['h'] },
  { name: 'status', aliases: ['s'] },
  { name: 'index', aliases: ['i', 'idx'] },
  { name: 'uuid', aliases: ['id'] },
  { name: 'pri', aliases: ['p', 'shards.primary', 'shardsPrimary'], align: 'right' },
  { name: 'rep', aliases: ['r', 'shards.replica', 'shardsReplica'], align: 'right' },
  { name: 'docs.count', aliases: ['dc', 'docsCount'], align: 'right' },
  { name: 'docs.deleted', aliases: ['dd', 'docsDeleted'], align: 'right' },
  { name: 'creation.date', aliases: ['cd'], isExtra: true },
  { name: 'creation.date.string', aliases: ['cds'], isExtra: true },
  { name: 'store.size', aliases: ['ss', 'storeSize'], align: 'right' },
  { name: 'pri.store.size', align: 'right' },
];

/**
 * `GET /_cat/indices[/{index}]`: the indexes of both sides in one table, by name. Columns that a table has no word for are
 * not answered where ours are among them.
 */
export const handler: EndpointHandler = {
  async handle(request, runtime) {
    const { query, path, params } = request;
    const expression = params['index'] ?? '_all';
    if (listedIndexes(expression, runtime.served).size === 0) return sendOn(request, runtime);
    const own = new Map([...query].filter(([name]) => name !== 'format'));
    requireKnownParameters(path, own, parameters);
    refuseBody(request);
    if (runtime.served.has(expression)) {
      const denial = await denialOf(expression, request, runtime);
      if (denial) return denied(denial, request);
      await runtime.table(expression);
    }
    const target = (indexes: string): string => `/_cat/indices/${indexes}?${elsewhereQuery(query)}`;
    const listed = await listIndexes({ expression, target }, request, runtime);
    if (listed.kind === 'refusal') return listed.response;
    const ours = await Promise.all(listed.own.map((index) => rowOf(index, request, runtime)));
    const theirs = rowsOf(listed.elsewhere).filter(({ index }) => !runtime.served.has(index ?? ''));
    const health = query.get('health');
    const shown = [...ours, ...theirs].filter((row) => !health || row['health'] === health);
    return catAnswer(request, columns, shown.sort(byName));
  },
};

const byName = ({ index: a }: CatRow, { index: b }: CatRow): number =>
  (a ?? '') < (b ?? '') ? -1 : 1;

/** All our columns under their own names, unsorted, as JSON. */
function elsewhereQuery(query: ReadonlyMap<string, string>): string {
  const own = ['format', 'h', 's', 'v', 'filter_path', 'pretty'];
  const sent = new URLSearchParams([...query].filter(([name]) => !own.includes(name)));
  sent.set('format', 'json');
  sent.set('h', columns.map(({ name }) => name).join(','));
  return sent.toString();
}

const rowsOf = (answer: JsonValue | undefined): readonly CatRow[] =>
  isJsonArray(answer) ? answer.filter(isJsonObject).map(toRow) : [];

const toRow = (row: JsonObject): CatRow =>
  Object.fromEntries(
    Object.entries(row).map(([name, value]) => [name, typeof value === 'string' ? value : null]),
  );

async function rowOf(index: string, request: GatewayRequest, runtime: Runtime): Promise<CatRow> {
  const { rows, bytes, changedMs } = await indexSize(index, request, runtime);
  const size = bytes === undefined ? null : byteSize(bytes, request.query.get('bytes'));
  return {
    health: 'green',
    status: 'open',
    index,
    uuid: indexUuid(await runtime.table(index)),
    pri: '1',
    rep: '0',
    'docs.count': String(rows),
    'docs.deleted': '0',
    'creation.date': String(changedMs),
    'creation.date.string': new Date(changedMs).toISOString(),
    'store.size': size,
    'pri.store.size': size,
  };
}
