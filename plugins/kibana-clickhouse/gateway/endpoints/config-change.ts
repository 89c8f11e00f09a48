import { illegalArgument } from '../../common/errors/catalogue';
import type { JsonObject } from '../../common/json/json';
import { parseAddress } from '../../metadata/address';
import type { SettingsChange } from '../../metadata/settings/settings-service';
import type { PartialSettings } from '../../../../schema/settings';
import { clickHouseUrls } from '../clickhouse-address';
import { servedIndexes } from '../index-expression';

/** The answer to an update. */
export const acknowledged = ({ changed, version }: SettingsChange): JsonObject => ({
  acknowledged: true,
  changed,
  version,
});

/**
 * Throws a 400 for what the schema of the settings cannot tell: addresses that cannot be read, and
 * names that are never answered from ClickHouse. Addresses may hold secrets and are not shown.
 */
export function requireUsable({ proxy }: PartialSettings): void {
  requireClickHouseAddress(proxy?.ck?.url);
  requireElasticsearchAddresses(proxy?.es?.host);
  requireServable(proxy?.whiteIndexList ?? []);
}

function requireClickHouseAddress(url: string | undefined): void {
  if (url === undefined || clickHouseUrls(url) !== undefined) return;
  throw illegalArgument(
    '[proxy.ck.url] is no address: expected host:port or http(s)://host:port, without user and password, several of them separated by commas',
  );
}

function requireElasticsearchAddresses(host = ''): void {
  if (host.trim() === '' || host.split(',').every(isElasticsearchAddress)) return;
  throw illegalArgument(
    '[proxy.es.host] is no address: expected host:port or http(s)://host:port, several of them separated by commas',
  );
}

const isElasticsearchAddress = (text: string): boolean =>
  text.trim() !== '' && parseAddress(text) !== undefined;

function requireServable(names: readonly string[]): void {
  const never = names.find((name) => servedIndexes({ whiteIndexList: [name] }).size === 0);
  if (never === undefined) return;
  throw illegalArgument(
    `[proxy.whiteIndexList] holds [${never}], which is never answered from ClickHouse: a name cannot begin with a dot, [_], [-] or [+], nor hold a comma, a star or a colon`,
  );
}
