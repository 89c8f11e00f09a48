import { createHash } from 'node:crypto';
import { mkdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { sentSettings } from '../../plugins/kibana-clickhouse/clickhouse/execution/settings';

/** A user that may only read, as the plugin should have in every installation. */
export interface ReadingUser {
  readonly name: string;
  readonly password: string;
  /** Databases it may read; default: all but `system`. */
  readonly databases?: readonly string[];
  /** Roles that it may take. */
  readonly roles?: readonly string[];
  /** By table of the database `default`: the condition that a row must meet to be seen. */
  readonly rows?: Readonly<Record<string, string>>;
}

/** A role, which may read some tables. */
export interface ReadingRole {
  readonly name: string;
  /** `database.table` */
  readonly tables: readonly string[];
}

export interface ServerConfig {
  readonly users?: readonly ReadingUser[];
  readonly roles?: readonly ReadingRole[];
  /** More elements for config.xml, such as `<remote_servers>` or `<query_log>`. */
  readonly extraXml?: string;
}

/**
 * The settings that the reading user may change although its profile is readonly: exactly those
 * that the product sends with a statement, and what an HTTP client asks of the transport.
 */
export const changeableSettings: readonly string[] = [
  ...new Set([...sentSettings, 'enable_http_compression', 'session_timezone']),
]
  // a parameter of the HTTP interface, no setting: never constrained
  .filter((name) => name !== 'wait_end_of_query');

/**
 * Limits for which ClickHouse takes 0 as "unlimited", which a bare `<max>` lets through: their
 * smallest value.
 */
const smallest: Readonly<Record<string, number>> = {
  max_execution_time: 0.001,
  max_memory_usage: 1,
  max_query_size: 1,
  max_result_rows: 1,
  max_rows_to_read: 1,
};

const escapeXml = (text: string): string =>
  text.replaceAll('&', '&amp;').replaceAll('<', '&lt;').replaceAll('>', '&gt;');

const escapeName = (name: string): string => `\`${name.replaceAll(/[\\`]/g, '\\$&')}\``;

const constraints = changeableSettings
  .map((name) => {
    const least = smallest[name];
    const limit = least === undefined ? '' : `<min>${String(least)}</min>`;
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

function checkName(name: string): void {
  if (!/^[A-Za-z_]\w*$/.test(name))
    throw new Error(`[${name}] cannot be the name of a user or role`);
}

const grantElements = (statements: readonly string[]): string =>
  `<grants>${statements.map((grant) => `<query>${escapeXml(grant)}</query>`).join('')}</grants>`;

function readingUser({ name, password, databases, roles = [], rows = {} }: ReadingUser): string {
  checkName(name);
  const hash = createHash('sha256').update(password).digest('hex');
  const taken = roles.map((role) => `GRANT ${escapeName(role)}`);
  const filters = Object.entries(rows).map(
    ([table, condition]) => `<${table}><filter>${escapeXml(condition)}</filter></${table}>`,
  );
  return `<${name}>
      <password_sha256_hex>${hash}</password_sha256_hex>
      ${loopback}<profile>reader</profile>
      ${grantElements([...grants(databases), ...taken])}
      ${filters.length === 0 ? '' : `<databases><default>${filters.join('')}</default></databases>`}
    </${name}>`;
}

function readingRole({ name, tables }: ReadingRole): string {
  checkName(name);
  return `<${name}>${grantElements(tables.map((table) => `GRANT SELECT ON ${table}`))}</${name}>`;
}

const usersXml = ({ users = [], roles = [] }: ServerConfig): string => `<clickhouse>
  <profiles>
    <default/>
    <reader>
      <readonly>1</readonly>
      <max_execution_time>60</max_execution_time>
      <constraints>
        ${constraints}
      </constraints>
    </reader>
  </profiles>
  <quotas><default/></quotas>
  <roles>${roles.map(readingRole).join('')}</roles>
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
  writeFileSync(usersFile, usersXml(config), { mode: 0o600 });
  const configFile = join(directory, 'config.xml');
  writeFileSync(configFile, configXml(usersFile, config.extraXml ?? ''), { mode: 0o600 });
  return configFile;
}
