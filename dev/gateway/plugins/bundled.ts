import type { JsonObject } from '../../../plugins/kibana-clickhouse/common/json/json';
import type { KeyCredential } from '../configuration';
import type { Exchange, Exit } from '../exchange';
import type { KnownPlugin } from '../schema/resolve';
import { checkAcl } from './acl';
import { checkKey } from './key-auth';

/** One of Kong's own plugins: gives an answer where it lets the request not pass. */
export interface BundledPlugin extends KnownPlugin {
  readonly access: (
    exchange: Exchange,
    config: JsonObject,
    keys: ReadonlyMap<string, KeyCredential>,
  ) => Exit | undefined;
}

const boolean = (value: boolean) => ({ type: 'boolean', required: true, default: value }) as const;
const groups = { type: 'array', elements: { type: 'string' } } as const;

/** Kong 3.9's key-auth without `anonymous` and keys in bodies, which would need the body read first. */
const keyAuth: BundledPlugin = {
  name: 'key-auth',
  priority: 1250,
  config: {
    fields: [
      {
        key_names: {
          type: 'array',
          required: true,
          default: ['apikey'],
          len_min: 1,
          elements: { type: 'string', match: '^[%w%-_]+$' },
        },
      },
      { hide_credentials: boolean(false) },
      { key_in_header: boolean(true) },
      { key_in_query: boolean(true) },
      { key_in_body: { ...boolean(false), eq: false } },
      { run_on_preflight: boolean(true) },
      { realm: { type: 'string' } },
    ],
  },
  access: checkKey,
};

/** Kong 3.9's acl. */
const acl: BundledPlugin = {
  name: 'acl',
  priority: 950,
  config: {
    fields: [
      { allow: groups },
      { deny: groups },
      { hide_groups_header: boolean(false) },
      { include_consumer_groups: { ...boolean(false), eq: false } },
    ],
    entity_checks: [{ only_one_of: ['allow', 'deny'] }],
  },
  access: checkAcl,
};

/** Kong's own plugins that the local gateway knows. */
export const bundledPlugins: readonly BundledPlugin[] = [keyAuth, acl];
