import type { JsonObject } from '../../common/json/json';
import { commonParameters, requireKnownParameters } from '../../search/request/url-parameters';
import type { PartStatus } from '../connections/part-status';
import { json, type EndpointHandler } from './definition';

/**
 * `GET /health`: asks every part whether it works, for 5 s at most. 200 while requests are answered,
 * also with problems; 503 when a part is down that requests need. No addresses, no secrets.
 */
export const handler: EndpointHandler = {
  async handle({ path, query }, runtime) {
    requireKnownParameters(path, query, commonParameters);
    const parts = await runtime.check();
    const status = worstOf(parts);
    const body: JsonObject = {
      status,
      problems: parts.flatMap(({ name, problems }) => problems.map((one) => `${name}: ${one}`)),
      parts: Object.fromEntries(parts.map((part) => [part.name, shown(part)])),
    };
    return json(body, status === 'down' ? 503 : 200);
  },
};

const shown = ({ status, problems, detail = {} }: PartStatus): JsonObject => ({
  status,
  problems: [...problems],
  ...detail,
});

function worstOf(parts: readonly PartStatus[]): 'up' | 'degraded' | 'down' {
  const found = new Set(parts.map(({ status }) => status));
  if (found.has('down')) return 'down';
  return found.has('degraded') ? 'degraded' : 'up';
}
