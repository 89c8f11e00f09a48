import type { JsonObject } from '../../../plugins/kibana-clickhouse/common/json/json';
import type { Exchange, Exit } from '../exchange';
import { errorExit } from '../proxy/answers';

const strings = (config: JsonObject, name: string): readonly string[] =>
  (config[name] ?? []) as readonly string[];

/**
 * Kong 3.9's acl: 401 without a consumer, 403 for one outside the allowed groups or in a denied one;
 * else the groups go to the upstream as X-Consumer-Groups.
 */
export function checkAcl(exchange: Exchange, config: JsonObject): Exit | undefined {
  const { consumer } = exchange;
  if (consumer === undefined) return errorExit(401, exchange.id);
  const { groups } = consumer;
  const denied = strings(config, 'deny');
  const passes =
    denied.length > 0
      ? !denied.some((group) => groups.includes(group))
      : strings(config, 'allow').some((group) => groups.includes(group));
  if (!passes) return errorExit(403, exchange.id, 'You cannot consume this service');
  if (config['hide_groups_header'] !== true && groups.length > 0) {
    exchange.headers.set('X-Consumer-Groups', groups.join(', '));
  }
  return undefined;
}
