import { isJsonObject, type JsonObject, type JsonValue } from '../../common/json/json';
import {
  commonParameters,
  indicesParameters,
  requireKnownParameters,
} from '../../search/request/url-parameters';
import { listedIndexes } from '../index-expression';
import { listIndexes } from '../listed-indexes';
import type { Runtime } from '../runtime';
import { denialOf, denied, sendOn } from '../send-on';
import type { EndpointHandler } from './definition';
import { clusterParameters } from './mapping';
import { filtered } from './on-indexes';
import { queryWithout } from './resolve-index';

const parameters: readonly string[] = [
  ...commonParameters,
  ...indicesParameters,
  ...clusterParameters,
];

/**
 * `GET|HEAD [/{index}]/_alias`: the indexes with their aliases. Tables have none, and stand beside what Elasticsearch
 * lists.
 */
export const handler: EndpointHandler = {
  async handle(request, runtime) {
    const expression = request.params['index'] ?? '_all';
    if (listedIndexes(expression, runtime.served).size === 0) return sendOn(request, runtime);
    requireKnownParameters(request.path, request.query, parameters);
    if (runtime.served.has(expression)) {
      const denial = await denialOf(expression, request, runtime);
      if (denial) return denied(denial, request);
      await runtime.table(expression);
    }
    const rest = queryWithout(request, ['filter_path']);
    const target = (indexes: string): string => `/${indexes}/_alias${rest}`;
    const listed = await listIndexes({ expression, target }, request, runtime);
    if (listed.kind === 'refusal') return listed.response;
    const { own, elsewhere } = listed;
    return filtered(request, {
      ...withoutServed(elsewhere, runtime),
      ...Object.fromEntries(own.map((index) => [index, { aliases: {} }])),
    });
  },
};

/** What Elasticsearch has by the name of one of ours is left out: nobody can search it here. */
const withoutServed = (
  listed: JsonValue | undefined,
  { served }: Pick<Runtime, 'served'>,
): JsonObject =>
  Object.fromEntries(
    Object.entries(isJsonObject(listed) ? listed : {}).filter(([name]) => !served.has(name)),
  );
