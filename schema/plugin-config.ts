import { settingsField, VAULTED, type KongField, type KongFieldEntry } from './kong-field';
import type { PartialSettings } from './settings';

/** What kong.yml says about the plugin, after Kong has filled in the defaults. */
export interface PluginConfig {
  readonly role: 'proxy' | 'admin';
  readonly failure_mode: 'strict' | 'drop-in';
  readonly metadata_config?: {
    readonly hosts?: readonly string[];
    readonly headers?: Readonly<Record<string, string>>;
    /** PEM, or the path of a file. */
    readonly ca?: string;
  };
  readonly clickhouse?: {
    /** PEM, or the path of a file; so are `certificate` and `key`. */
    readonly ca?: string;
    readonly certificate?: string;
    readonly key?: string;
    /** ClickHouse's user of each consumer; `*`: of all others. */
    readonly users?: Readonly<Record<string, string>>;
    /** Of these users. */
    readonly passwords?: Readonly<Record<string, string>>;
    /** ClickHouse's role of each consumer; `*`: of all others. */
    readonly roles?: Readonly<Record<string, string>>;
  };
  readonly authorization?: 'elasticsearch' | 'none';
  readonly log_level: 'debug' | 'info' | 'warn' | 'error';
  /** Start values of the settings: what the administration endpoints have not set. */
  readonly settings?: PartialSettings;
  /** The settings are kept in the index `proxy-settings-<suffix>`; absent: in `proxy-settings`. */
  readonly settings_suffix?: string;
  /** What the secrets that the administration endpoints set are encrypted with. */
  readonly secret_key?: string;
  /** Absolute path of the file that keeps the settings where no Elasticsearch is configured. */
  readonly state_file?: string;
}

/**
 * Who may read a whitelisted index. Kong cannot say it as a default, because it depends on another
 * field: without a word in `authorization`, Elasticsearch decides wherever one is configured.
 */
export const authorizationOf = (
  config: Pick<PluginConfig, 'authorization' | 'metadata_config'>,
): 'elasticsearch' | 'none' =>
  config.authorization ??
  ((config.metadata_config?.hosts ?? []).length > 0 ? 'elasticsearch' : 'none');

/** `host`, `host:port` or a URL: what `kong/upstreams.ts` reads. A Lua pattern: no white space, no list. */
const HOST: KongField = {
  type: 'string',
  match: '^[^%s,]+$',
  len_max: 2048,
  ...VAULTED,
};

/** A certificate or a key. */
const pem = (description: string, more: Partial<KongField> = {}): KongField => ({
  type: 'string',
  description: `${description} PEM text, or the absolute path of a file of it.`,
  len_max: 65_536,
  ...more,
});

const metadataConfig: readonly KongFieldEntry[] = [
  {
    hosts: {
      type: 'array',
      description:
        'Addresses of Elasticsearch, the first one preferred: http://host:port, https://host:port or host:port. A missing port is 80 for http://, 443 for https:// and 9200 without a scheme. In failure mode strict, all that is not answered from ClickHouse goes to the first one that accepts connections.',
      elements: HOST,
      len_max: 100,
    },
  },
  {
    headers: {
      type: 'map',
      description:
        "Headers of the plugin's own requests to Elasticsearch, such as Authorization. A caller's request that is passed on keeps the caller's own headers.",
      keys: { type: 'string', match: "^[%w!#$%%&'*+.^_`|~-]+$", len_max: 255 },
      values: { type: 'string', len_min: 0, len_max: 8192, ...VAULTED },
    },
  },
  {
    ca: pem(
      "Authorities that the plugin's own requests to Elasticsearch trust, in place of Node's; Kong has its own for what it passes on.",
    ),
  },
];

const NAME: KongField = { type: 'string', len_max: 255 };

const clickHouse: readonly KongFieldEntry[] = [
  { ca: pem("Authorities that an https address of ClickHouse is trusted by, in place of Node's.") },
  {
    certificate: pem(
      'What the plugin shows an https address of ClickHouse. With an empty password the user is known by it.',
    ),
  },
  { key: pem('The private key of the certificate.', VAULTED) },
  {
    users: {
      type: 'map',
      description:
        "User of ClickHouse for each consumer of Kong, * for all others: his row policies and quotas hold for the consumer's searches. Whom neither users nor roles names is refused. Both absent: the user of the settings.",
      keys: NAME,
      values: NAME,
    },
  },
  {
    passwords: {
      type: 'map',
      description: 'Passwords of the users of ClickHouse that users names; none is empty.',
      keys: NAME,
      values: { type: 'string', len_min: 0, len_max: 4096, ...VAULTED },
    },
  },
  {
    roles: {
      type: 'map',
      description:
        "Role of ClickHouse for each consumer of Kong, * for all others: the consumer's searches run with it alone. It must be granted to the user.",
      keys: NAME,
      values: NAME,
    },
  },
];

/**
 * The fields of `config` in kong.yml, emitted as data: no Lua function can travel from a plugin
 * server. Every record is `required` without a default, because Kong then expands it with the
 * defaults of its own fields, however much of it kong.yml leaves out (`handle_missing_field` in
 * Kong's `db/schema/init.lua`). A field without a default is absent or null when kong.yml does not
 * name it.
 */
export const pluginConfigFields: readonly KongFieldEntry[] = [
  {
    role: {
      type: 'string',
      description:
        'proxy: the route that Kibana talks to. admin: the route of the administration endpoints, every request on it is answered by the plugin.',
      one_of: ['proxy', 'admin'],
      default: 'proxy',
      required: true,
    },
  },
  {
    failure_mode: {
      type: 'string',
      description:
        'strict: the Service is http://localhost:1 and the plugin names the target of every request, so that nothing reaches Elasticsearch while the plugin is down. drop-in: the Service is Elasticsearch, only requests for whitelisted indexes are diverted; while the plugin is down they reach Elasticsearch.',
      one_of: ['strict', 'drop-in'],
      default: 'drop-in',
      required: true,
    },
  },
  {
    metadata_config: {
      type: 'record',
      description:
        'Elasticsearch: the store of everything that is not in ClickHouse, and the judge of who may read.',
      required: true,
      fields: metadataConfig,
    },
  },
  {
    clickhouse: {
      type: 'record',
      description:
        'How ClickHouse is reached and with whose rights; its address and user stand in the settings.',
      required: true,
      fields: clickHouse,
    },
  },
  {
    authorization: {
      type: 'string',
      description:
        'Who may read a whitelisted index. elasticsearch: whom Elasticsearch lets read an index of that name. none: everyone who reaches the route. Absent: elasticsearch where metadata_config.hosts names one, else none.',
      one_of: ['elasticsearch', 'none'],
    },
  },
  {
    log_level: {
      type: 'string',
      description: "Lowest level of the plugin's log lines on stderr: debug, info, warn or error.",
      one_of: ['debug', 'info', 'warn', 'error'],
      default: 'info',
      required: true,
    },
  },
  {
    settings_suffix: {
      type: 'string',
      description:
        'The settings are kept in the index proxy-settings-<suffix>, so that several gateways share one Elasticsearch. Absent: in proxy-settings.',
      match: '^[a-z0-9][a-z0-9._-]*$',
      len_max: 100,
    },
  },
  {
    secret_key: {
      type: 'string',
      description:
        'Passwords and header values that the administration endpoints set are encrypted with it before they are stored. Absent: an update that carries one is refused. The same on all nodes.',
      len_min: 16,
      len_max: 1024,
      ...VAULTED,
    },
  },
  {
    state_file: {
      type: 'string',
      description:
        'Absolute path of the file that keeps what the administration endpoints set, only where metadata_config.hosts names no Elasticsearch. Absent there: nothing can be set.',
      match: '^/',
      len_max: 4096,
    },
  },
  { settings: settingsField() },
];
