/** What kong.yml says about the plugin, after Kong has filled in the defaults. */
export interface PluginConfig {
  readonly role: 'proxy' | 'admin';
  readonly failure_mode: 'strict' | 'drop-in';
  readonly metadata_config?: {
    readonly hosts?: readonly string[];
    readonly headers?: Readonly<Record<string, string>>;
  };
  readonly authorization?: 'elasticsearch' | 'none';
  readonly log_level: 'debug' | 'info' | 'warn' | 'error';
  readonly settings?: {
    readonly proxy?: {
      readonly whiteIndexList?: readonly string[] | null;
      readonly blackIndexList?: readonly string[] | null;
      readonly ck?: {
        readonly url?: string;
        readonly user?: string;
        readonly pass?: string;
        readonly defaultCkDatabase?: string;
      };
    };
  };
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

/** An attribute set of Kong's schema language (Kong 3.4 to 3.9, `kong/db/schema/metaschema.lua`). */
export interface KongField {
  readonly type: 'string' | 'array' | 'map' | 'record';
  /** 10 to 500 characters, as Kong's metaschema wants it. */
  readonly description?: string;
  readonly required?: boolean;
  readonly default?: string;
  readonly one_of?: readonly string[];
  readonly match?: string;
  readonly len_min?: number;
  readonly len_max?: number;
  readonly referenceable?: boolean;
  readonly encrypted?: boolean;
  readonly elements?: KongField;
  readonly keys?: KongField;
  readonly values?: KongField;
  readonly fields?: readonly KongFieldEntry[];
}

/** Kong's field lists: each entry one name with its attributes. */
export type KongFieldEntry = Readonly<Record<string, KongField>>;

const SECRET = { referenceable: true, encrypted: true } as const;

/** `host`, `host:port` or a URL: what `kong/upstreams.ts` reads. A Lua pattern: no white space, no list. */
const HOST: KongField = {
  type: 'string',
  match: '^[^%s,]+$',
  len_max: 2048,
  ...SECRET,
};

const indexList = (description: string): KongField => ({
  type: 'array',
  description,
  elements: { type: 'string', match: '^[^%s,*]+$', len_max: 255 },
  len_max: 10_000,
});

const clickHouse: readonly KongFieldEntry[] = [
  {
    url: {
      type: 'string',
      description:
        "Address of ClickHouse's HTTP interface: host:port (plain HTTP), or a URL that starts with http:// or https://.",
      default: 'localhost:8123',
      match: '^[^%s,]+$',
      len_max: 2048,
      ...SECRET,
    },
  },
  {
    user: {
      type: 'string',
      description: 'ClickHouse user. It needs to read the whitelisted tables and nothing else.',
      default: 'default',
      len_max: 255,
      ...SECRET,
    },
  },
  {
    pass: {
      type: 'string',
      description: 'Password of the ClickHouse user. Empty for a user without one.',
      default: '',
      len_min: 0,
      len_max: 4096,
      ...SECRET,
    },
  },
  {
    defaultCkDatabase: {
      type: 'string',
      description: 'ClickHouse database in which the table of a whitelisted index is looked up.',
      default: 'default',
      len_max: 255,
    },
  },
];

const proxySettings: readonly KongFieldEntry[] = [
  {
    whiteIndexList: indexList(
      'Indexes that are answered from ClickHouse. Each name must equal the name of its table. Absent, null or empty: none, everything goes to Elasticsearch.',
    ),
  },
  {
    blackIndexList: indexList(
      'Indexes that are not answered from ClickHouse even though whiteIndexList names them. Absent, null or empty: none.',
    ),
  },
  {
    ck: {
      type: 'record',
      description:
        'Connection to ClickHouse, which holds the documents of the whitelisted indexes.',
      required: true,
      fields: clickHouse,
    },
  },
];

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
      values: { type: 'string', len_min: 0, len_max: 8192, ...SECRET },
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
    settings: {
      type: 'record',
      description: 'Start values of the settings, by the names of the administration endpoints.',
      required: true,
      fields: [
        {
          proxy: {
            type: 'record',
            description: 'Which indexes are answered from ClickHouse, and where ClickHouse is.',
            required: true,
            fields: proxySettings,
          },
        },
      ],
    },
  },
];
