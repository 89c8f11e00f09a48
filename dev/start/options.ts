import { parseArgs } from 'node:util';

/** What `npm start` was asked for. */
export interface StartOptions {
  /** Path of a kong.yml; undefined: the shipped one. */
  readonly config?: string;
  readonly port: number;
  /** A ClickHouse that runs already; undefined: the embedded one. */
  readonly clickHouse?: ClickHouseAddress;
  readonly dataDirectory?: string;
  readonly elasticsearch: readonly string[];
  readonly init: readonly string[];
  readonly demo: boolean;
  readonly adminKey?: string;
  readonly rows: number;
}

/** A ClickHouse address taken apart: what the URL does not say is undefined. */
export interface ClickHouseAddress {
  /** Without user, password and database. */
  readonly url: string;
  readonly user?: string;
  readonly password?: string;
  readonly database?: string;
}

/** A command line that says nothing sensible; the message tells what is wrong. */
export class UsageError extends Error {}

export const helpText = `Usage: npm start -- [options]

Runs everything on this machine: a ClickHouse with a demo table, and on 127.0.0.1 a local
gateway that reads a kong.yml and runs the plugin as Kong does. Ctrl-C stops it all.

  --config FILE        declarative kong.yml (default: the shipped kong.yml)
  --port N             port of the gateway on 127.0.0.1 (default: 8000; 0: any free one)
  --clickhouse URL     a ClickHouse that runs already, http://user:password@host:port/database
                       (default: an embedded one)
  --data-dir DIR       where the embedded ClickHouse keeps its data, and the plugin its settings
                       (default: temporary)
  --elasticsearch URL  Elasticsearch behind the gateway; repeat it or write a comma list for several
                       (default: none; what is not for ClickHouse is then answered with 502)
  --init FILE.sql      SQL to run on the embedded ClickHouse before it is ready; repeatable
  --no-demo            no demo table access_log
  --rows N             rows of the demo table (default: 1000000)
  --admin-key KEY      key of the administration endpoints, header apikey (default: random, printed)
  --help               this text
`;

const definitions = {
  config: { type: 'string' },
  port: { type: 'string', default: '8000' },
  clickhouse: { type: 'string' },
  'data-dir': { type: 'string' },
  elasticsearch: { type: 'string', multiple: true, default: [] as string[] },
  init: { type: 'string', multiple: true, default: [] as string[] },
  'no-demo': { type: 'boolean', default: false },
  rows: { type: 'string' },
  'admin-key': { type: 'string' },
  help: { type: 'boolean', default: false },
} as const;

const DEFAULT_ROWS = 1_000_000;
const MOST_ROWS = 1_000_000_000;

/** Reads the command line; undefined when help is asked for. Throws UsageError. */
export function readOptions(args: readonly string[]): StartOptions | undefined {
  const values = parse(args);
  if (values.help) return undefined;
  if (values.clickhouse !== undefined) refuseWithClickHouse(values);
  if (values['no-demo'] && values.rows !== undefined) {
    throw new UsageError('--rows is about the demo table, which --no-demo leaves out');
  }
  return {
    port: integer('--port', values.port, 0, 65_535),
    elasticsearch: values.elasticsearch.flatMap((list) => list.split(',')).map(elasticsearchUrl),
    init: values.init.map((file) => filled('--init', file)),
    demo: !values['no-demo'] && values.clickhouse === undefined,
    rows: values.rows === undefined ? DEFAULT_ROWS : integer('--rows', values.rows, 1, MOST_ROWS),
    ...optionalText(values),
  };
}

type Values = ReturnType<typeof parse>;

function parse(args: readonly string[]) {
  try {
    return parseArgs({ args: [...args], options: definitions, allowPositionals: false }).values;
  } catch (error) {
    throw new UsageError(error instanceof Error ? error.message : String(error));
  }
}

function refuseWithClickHouse(values: Values): void {
  const embeddedOnly = [
    values.init.length > 0 ? '--init' : undefined,
    values['data-dir'] === undefined ? undefined : '--data-dir',
    values.rows === undefined ? undefined : '--rows',
  ].find((name) => name !== undefined);
  if (embeddedOnly !== undefined) {
    throw new UsageError(`${embeddedOnly} is for the embedded ClickHouse, not for --clickhouse`);
  }
}

const optionalText = (
  values: Values,
): Pick<StartOptions, 'config' | 'clickHouse' | 'dataDirectory' | 'adminKey'> => ({
  ...(values.config === undefined ? {} : { config: filled('--config', values.config) }),
  ...(values.clickhouse === undefined ? {} : { clickHouse: clickHouseAddress(values.clickhouse) }),
  ...(values['data-dir'] === undefined
    ? {}
    : { dataDirectory: filled('--data-dir', values['data-dir']) }),
  ...(values['admin-key'] === undefined ? {} : { adminKey: adminKey(values['admin-key']) }),
});

function filled(name: string, value: string): string {
  if (value === '') throw new UsageError(`${name} must not be empty`);
  return value;
}

function integer(name: string, text: string, least: number, most: number): number {
  const value = /^\d+$/.test(text) ? Number(text) : NaN;
  if (!(value >= least && value <= most)) {
    throw new UsageError(
      `${name} must be a whole number from ${String(least)} to ${String(most)}, not [${text}]`,
    );
  }
  return value;
}

function adminKey(key: string): string {
  if (!/^[\x21-\x7e]+$/.test(key)) {
    throw new UsageError('--admin-key must be visible ASCII characters, because it is a header');
  }
  return key;
}

/** The reason never repeats the URL: it may hold a password. */
function httpUrl(name: string, text: string): URL {
  const url = URL.canParse(text) ? new URL(text) : undefined;
  if (url === undefined || !/^https?:$/.test(url.protocol)) {
    throw new UsageError(`${name} must be a URL that starts with http:// or https://`);
  }
  return url;
}

function elasticsearchUrl(text: string): string {
  const url = httpUrl('--elasticsearch', text.trim());
  if (url.username !== '' || url.password !== '') {
    throw new UsageError(
      '--elasticsearch takes no user and password: callers bring their own, the plugin its ' +
        'metadata_config.headers in kong.yml',
    );
  }
  return url.href.replace(/\/$/, '');
}

const defaultPorts: Readonly<Record<string, string>> = { 'http:': '8123', 'https:': '8443' };

function clickHouseAddress(text: string): ClickHouseAddress {
  const url = httpUrl('--clickhouse', text);
  const database = decodeURIComponent(url.pathname.replace(/^\/|\/$/g, ''));
  if (database.includes('/') || url.search !== '' || url.hash !== '') {
    throw new UsageError('--clickhouse must look like http://user:password@host:port/database');
  }
  // URL drops a port that is the scheme's own, such as :80
  const named = /^https?:\/\/(?:[^/@]*@)?[^/]*?:(\d+)(?:\/|$)/i.exec(text)?.[1];
  const port = named ?? defaultPorts[url.protocol] ?? '';
  return {
    url: `${url.protocol}//${url.hostname}:${port}`,
    ...(url.username === '' ? {} : { user: decodeURIComponent(url.username) }),
    ...(url.password === '' ? {} : { password: decodeURIComponent(url.password) }),
    ...(database === '' ? {} : { database }),
  };
}
