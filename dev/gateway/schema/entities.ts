import type { FieldSchema, NamedField } from './field';

const string = { type: 'string' } as const;
const uuid = { type: 'string', uuid: true } as const;
const boolean = (value: boolean): FieldSchema => ({
  type: 'boolean',
  required: true,
  default: value,
});
const strings = { type: 'array', elements: string } as const;
const name = { type: 'string', match: '^[%w%.%-_~\u0080-\uffff]+$' } as const;
const timeout = { type: 'integer', default: 60_000, between: [1, 2 ** 31 - 2] } as const;
const protocols: NamedField = {
  protocols: {
    type: 'set',
    required: true,
    default: ['http', 'https'],
    len_min: 1,
    elements: { type: 'string', one_of: ['http', 'https'] },
  },
};

/** Kong 3.9 `services`, without what only a database or TLS store gives a meaning. */
export const serviceSchema: Pick<FieldSchema, 'fields'> = {
  fields: [
    { id: uuid },
    { name },
    { protocol: { type: 'string', required: true, default: 'http', one_of: ['http', 'https'] } },
    { host: { type: 'string', required: true } },
    { port: { type: 'integer', required: true, default: 80, between: [0, 65_535] } },
    { path: { type: 'string', starts_with: '/' } },
    { retries: { type: 'integer', default: 5, between: [0, 32_767] } },
    { connect_timeout: timeout },
    { write_timeout: timeout },
    { read_timeout: timeout },
    { tls_verify: { type: 'boolean' } },
    { enabled: boolean(true) },
    { tags: strings },
  ],
};

/** Kong 3.9 `routes` of the traditional router; matching by headers, SNI or address is refused. */
export const routeSchema: Pick<FieldSchema, 'fields' | 'entity_checks'> = {
  fields: [
    { id: uuid },
    { name },
    protocols,
    { methods: { type: 'set', elements: { type: 'string', match: '^%u+$' } } },
    { hosts: { type: 'array', elements: string } },
    { paths: { type: 'array', elements: string } },
    { regex_priority: { type: 'integer', default: 0 } },
    { strip_path: boolean(true) },
    { path_handling: { type: 'string', default: 'v0', one_of: ['v0'] } },
    { preserve_host: boolean(false) },
    { request_buffering: boolean(true) },
    { response_buffering: boolean(true) },
    {
      https_redirect_status_code: {
        type: 'integer',
        default: 426,
        one_of: [426, 301, 302, 307, 308],
      },
    },
    { tags: strings },
  ],
  entity_checks: [{ at_least_one_of: ['methods', 'hosts', 'paths'] }],
};

/** Kong 3.9 `plugins`; `config` is checked by the plugin's own schema. */
export const pluginSchema: Pick<FieldSchema, 'fields'> = {
  fields: [
    { id: uuid },
    { name: { type: 'string', required: true } },
    { instance_name: name },
    { config: { type: 'map', required: true, default: {} } },
    { enabled: boolean(true) },
    protocols,
    { tags: strings },
  ],
};

/** Kong 3.9 `consumers`. */
export const consumerSchema: Pick<FieldSchema, 'fields' | 'entity_checks'> = {
  fields: [{ id: uuid }, { username: string }, { custom_id: string }, { tags: strings }],
  entity_checks: [{ at_least_one_of: ['username', 'custom_id'] }],
};

/** Kong 3.9 `keyauth_credentials`. */
export const keySchema: Pick<FieldSchema, 'fields'> = {
  fields: [{ id: uuid }, { key: { type: 'string', required: true } }, { tags: strings }],
};

/** Kong 3.9 `acls`: one group that a consumer is in. */
export const groupSchema: Pick<FieldSchema, 'fields'> = {
  fields: [{ id: uuid }, { group: { type: 'string', required: true } }, { tags: strings }],
};
