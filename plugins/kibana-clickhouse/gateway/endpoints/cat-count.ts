import {
  commonParameters,
  indicesParameters,
  requireKnownParameters,
} from '../../search/request/url-parameters';
import { catAnswer, type CatColumn, catParameters } from '../cat/cat-table';
import { indexSize } from '../index-size';
import { readNames, resolveNames } from '../named-indexes';
import { denied, sendOn } from '../send-on';
import type { EndpointHandler } from './definition';
import { refuseBody } from './on-indexes';

const parameters: readonly string[] = [...commonParameters, ...indicesParameters, ...catParameters];

const columns: readonly CatColumn[] = [
  { name: 'epoch', aliases: ['t', 'time'] },
  { name: 'timestamp', aliases: ['ts', 'hms', 'hhmmss'] },
  { name: 'count', aliases: ['dc', 'docs.count', 'docsCount'] },
];

/** `GET /_cat/count/{index}`: how many documents there are, all together, and the time at which they were counted. */
export const handler: EndpointHandler = {
  async handle(request, runtime) {
    const { query, path, params } = request;
    const now = Date.now();
    const named = readNames(params['index'] ?? '', runtime.served, { query: new Map(), now });
    if (named === undefined) return sendOn(request, runtime);
    const own = new Map([...query].filter(([name]) => name !== 'format'));
    requireKnownParameters(path, own, parameters);
    refuseBody(request);
    const resolved = await resolveNames(named, request, runtime);
    if (resolved.kind === 'denied') return denied(resolved, request);
    if (resolved.kind === 'elsewhere') return sendOn(request, runtime);
    const sizes = await Promise.all(
      resolved.names.map((index) => indexSize(index, request, runtime)),
    );
    const count = sizes.reduce((sum, { rows }) => sum + rows, 0);
    const row = {
      epoch: String(Math.floor(now / 1000)),
      timestamp: new Date(now).toISOString().slice(11, 19),
      count: String(count),
    };
    return catAnswer(request, columns, [row]);
  },
};
