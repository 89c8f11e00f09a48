import { pluginConfigFields } from '../../schema/plugin-config';
import { cureKongPdk } from './kong/cures';
import { KongPlugin } from './kong/plugin';

cureKongPdk();

/** What Kong's JavaScript plugin server reads from a plugin; nothing else happens at import. */
export const Plugin = KongPlugin;
export const Name = 'kibana-clickhouse';
/** Equal to the package's version. */
export const Version = '0.1.0';
/**
 * After every plugin of Kong's that authenticates, limits or transforms requests (the lowest is
 * ai-response-transformer, 768), before proxy-cache (100) and request-termination (2).
 */
export const Priority = 765;
export const Schema = pluginConfigFields;
