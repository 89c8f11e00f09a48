import type { JsonObject } from '../../plugins/kibana-clickhouse/common/json/json';
import type { DeclarativeConfig } from '../../dev/gateway/declarative';
import type { Gateway } from '../../dev/gateway/gateway';
import { ask, type Answer } from './client';
import { kongConfig } from './product';

/**
 * A Route of each role with the same configuration: the proxy role under `/`, the administration
 * under `/admin`, which is taken off.
 */
export const bothRoles = (serviceUrl: string, plugin: JsonObject): DeclarativeConfig =>
  kongConfig([
    { serviceUrl, route: { paths: ['/'], strip_path: false }, plugin },
    {
      serviceUrl,
      route: { paths: ['/admin'], strip_path: true },
      plugin: { ...plugin, role: 'admin' },
    },
  ]);

/** Asks an administration endpoint. */
export const admin = (
  gateway: Pick<Gateway, 'url'>,
  path: string,
  body?: JsonObject,
): Promise<Answer> =>
  ask(gateway.url, `/admin${path}`, body === undefined ? {} : { method: 'POST', body });

/** Calls an update endpoint; throws when it is not answered with 200. */
export async function update(
  gateway: Pick<Gateway, 'url'>,
  name: string,
  parameters: Readonly<Record<string, string>>,
): Promise<Answer> {
  const query = new URLSearchParams(parameters).toString();
  const answer = await ask(gateway.url, `/admin/config/${name}?${query}`, { method: 'POST' });
  if (answer.status !== 200) throw new Error(`${name}: ${String(answer.status)} ${answer.text}`);
  return answer;
}
