import { mkdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { stringify } from 'yaml';
import { selfSigned } from '../../gateway/certificate';

/** Whoever has no password of its own has this one. */
export const password = 'judge';
/** bcrypt of `password`. */
const hash = '$2y$12$l2gOI3lP/i5mTuytP8P4JOYXAltsAFvwXqNL.3iV5oqQEVmACQj5K';

/** A user that may do everything. */
export const admin = 'admin';

export interface Security {
  /** Users by name, with the names of the indexes that each may read. */
  readonly readers: Readonly<Record<string, readonly string[]>>;
  /** `do_not_fail_on_forbidden_empty`: a forbidden search is answered with no documents. */
  readonly emptyWhereForbidden: boolean;
}

/** Writes what the security plugin reads at its first start into the folder `config` of a home. */
export function configureSecurity(home: string, security: Security): void {
  const config = join(home, 'config');
  const { key, cert } = selfSigned();
  writeFileSync(join(config, 'key.pem'), key, { mode: 0o600 });
  writeFileSync(join(config, 'cert.pem'), cert);
  writeFileSync(join(config, 'opensearch.yml'), stringify(nodeSettings));
  mkdirSync(join(config, 'opensearch-security'));
  for (const [file, { type, ...content }] of Object.entries(documents(security)))
    writeFileSync(
      join(config, 'opensearch-security', `${file}.yml`),
      stringify({ _meta: { type, config_version: 2 }, ...content }),
    );
}

const nodeSettings = {
  'plugins.security.ssl.transport.pemcert_filepath': 'cert.pem',
  'plugins.security.ssl.transport.pemkey_filepath': 'key.pem',
  'plugins.security.ssl.transport.pemtrustedcas_filepath': 'cert.pem',
  'plugins.security.ssl.transport.enforce_hostname_verification': false,
  'plugins.security.allow_default_init_securityindex': true,
  'plugins.security.nodes_dn': ['CN=localhost'],
};

/** Its `type`, and what the type has. */
type ConfigurationDocument = Readonly<Record<string, unknown>> & { readonly type: string };

/** Files by name; each is a document of the given type. */
function documents({
  readers,
  emptyWhereForbidden,
}: Security): Readonly<Record<string, ConfigurationDocument>> {
  const names = Object.keys(readers);
  const roles = Object.entries(readers).map(([name, indexes]) => [
    name,
    {
      index_permissions: [{ index_patterns: indexes, allowed_actions: ['indices:data/read/*'] }],
    },
  ]);
  const everything = {
    cluster_permissions: ['*'],
    index_permissions: [{ index_patterns: ['*'], allowed_actions: ['*'] }],
  };
  return {
    action_groups: { type: 'actiongroups' },
    allowlist: { type: 'allowlist', config: { enabled: false, requests: {} } },
    audit: { type: 'audit', config: { enabled: false } },
    config: { type: 'config', config: { dynamic: dynamic(emptyWhereForbidden) } },
    internal_users: {
      type: 'internalusers',
      ...Object.fromEntries([admin, ...names].map((name) => [name, { hash }])),
    },
    nodes_dn: { type: 'nodesdn' },
    roles: { type: 'roles', everything, ...Object.fromEntries(roles) },
    roles_mapping: {
      type: 'rolesmapping',
      everything: { users: [admin] },
      ...Object.fromEntries(names.map((name) => [name, { users: [name] }])),
    },
    tenants: { type: 'tenants' },
  };
}

const dynamic = (isEmpty: boolean): object => ({
  do_not_fail_on_forbidden: isEmpty,
  do_not_fail_on_forbidden_empty: isEmpty,
  http: { anonymous_auth_enabled: false },
  authc: {
    basic: {
      http_enabled: true,
      transport_enabled: false,
      order: 0,
      http_authenticator: { type: 'basic', challenge: true },
      authentication_backend: { type: 'intern' },
    },
  },
});
