import { createHash } from 'node:crypto';
import { mkdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';

/** A user that may only read, as the plugin should have in every installation. */
export interface ReadingUser {
  readonly name: string;
  readonly password: string;
  /** Databases it may read; default: all but `system`. */
  readonly databases?: readonly string[];
}

export interface ServerConfig {
  readonly users?: readonly ReadingUser[];
  /** More elements for config.xml, such as `<remote_servers>` or `<query_log>`. */
  readonly extraXml?: string;
}

/**
 * The settings that the reading user may change although its profile is readonly: exactly those
 * that the product sends with a statement. A number is the smallest value allowed: in ClickHouse 0
 * means "unlimited" and passes a bare `<max>`, so a limit needs its `<min>`.
 */
export const changeableSettings: Readonly<Record<string, { readonly min?: number }>> = {
  cancel_http_readonly_queries_on_client_close: {},
  date_time_input_format: {},
  date_time_output_format: {},
  enable_extended_results_for_datetime_functions: {},
  enable_http_compression: {},
  group_by_use_nulls: {},
  join_use_nulls: {},
  log_comment: {},
  max_execution_time: { min: 1 },
  max_memory_usage: { min: 1 },
  max_query_size: { min: 1 },
  max_result_bytes: {},
  max_result_rows: {},
  max_rows_to_read: {},
  max_threads: { min: 1 },
  output_format_decimal_trailing_zeros: {},
  output_format_json_array_of_rows: {},
  output_format_json_escape_forward_slashes: {},
  output_format_json_map_as_array_of_tuples: {},
  output_format_json_named_tuples_as_objects: {},
  output_format_json_quote_64bit_floats: {},
  output_format_json_quote_64bit_integers: {},
  output_format_json_quote_decimals: {},
  output_format_json_quote_denormals: {},
  output_format_json_skip_null_value_in_named_tuples: {},
  output_format_json_validate_utf8: {},
  output_format_native_encode_types_in_binary_format: {},
  prefer_column_name_to_alias: {},
  read_overflow_mode: {},
  result_overflow_mode: {},
  send_progress_in_http_headers: {},
  session_timezone: {},
  timeout_overflow_mode: {},
  use_query_cache: {},
};

const escapeXml = (text: string): string =>
  text.replaceAll('&', '&amp;').replaceAll('<', '&lt;').replaceAll('>', '&gt;');

const escapeName = (name: string): string => `\`${name.replaceAll(/[\\`]/g, '\\$&')}\``;

const constraints = Object.entries(changeableSettings)
  .map(([name, { min }]) => {
    const limit = min === undefined ? '' : `<min>${String(min)}</min>`;
    return `<${name}>${limit}<changeable_in_readonly/></${name}>`;
  })
  .join('\n        ');

const grants = (databases: readonly string[] | undefined): readonly string[] => [
  ...(databases === undefined
    ? ['GRANT SELECT ON *.*', 'REVOKE SELECT ON system.*']
    : databases.map((database) => `GRANT SELECT ON ${escapeName(database)}.*`)),
  ...['tables', 'columns', 'functions', 'settings'].map(
    (table) => `GRANT SELECT ON system.${table}`,
  ),
];

const loopback = '<networks><ip>127.0.0.1</ip><ip>::1</ip></networks><quota>default</quota>';

function readingUser({ name, password, databases }: ReadingUser): string {
  if (!/^[A-Za-z_]\w*$/.test(name)) throw new Error(`[${name}] cannot be the name of a user`);
  const hash = createHash('sha256').update(password).digest('hex');
  const queries = grants(databases).map((grant) => `<query>${escapeXml(grant)}</query>`);
  return `<${name}>
      <password_sha256_hex>${hash}</password_sha256_hex>
      ${loopback}<profile>reader</profile>
      <grants>${queries.join('')}</grants>
    </${name}>`;
}

const usersXml = (users: readonly ReadingUser[]): string => `<clickhouse>
  <profiles>
    <default/>
    <reader>
      <readonly>1</readonly>
      <constraints>
        ${constraints}
      </constraints>
    </reader>
  </profiles>
  <quotas><default/></quotas>
  <users>
    <default><password></password>${loopback}<profile>default</profile><access_management>1</access_management></default>
    ${users.map(readingUser).join('\n    ')}
  </users>
</clickhouse>
`;

const configXml = (usersFile: string, extraXml: string): string => `<clickhouse>
  <users_config>${escapeXml(usersFile)}</users_config>
  <logger><level>none</level></logger>
  <access_control_improvements>
    <settings_constraints_replace_previous>true</settings_constraints_replace_previous>
  </access_control_improvements>
  ${extraXml}
</clickhouse>
`;

/**
 * Writes config.xml and users.xml into a directory (made when absent) and gives config.xml's path.
 * `default` may do everything and has no password (loopback only: it loads data); every reading user
 * has its password, `readonly = 1`, the changeable settings above and SELECT on its databases and on
 * system.tables, columns, functions and settings.
 */
export function writeServerConfig(directory: string, config: ServerConfig): string {
  mkdirSync(directory, { recursive: true, mode: 0o700 });
  const usersFile = join(directory, 'users.xml');
  writeFileSync(usersFile, usersXml(config.users ?? []), { mode: 0o600 });
  const configFile = join(directory, 'config.xml');
  writeFileSync(configFile, configXml(usersFile, config.extraXml ?? ''), { mode: 0o600 });
  return configFile;
}
