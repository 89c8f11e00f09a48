import { spawnSync } from 'node:child_process';
import { resolve } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { startClickHouse, type EmbeddedClickHouse } from '../../dev/clickhouse/embedded';
import { runSql } from '../../dev/clickhouse/run-sql';
import type { DeclarativeConfig } from '../../dev/gateway/declarative';
import { startGateway, type Gateway } from '../../dev/gateway/gateway';
import type { JsonObject } from '../../plugins/kibana-clickhouse/common/json/json';
import { ask } from './client';

/** The built plugin: `dist`, or the folder that `BUILT_PLUGIN` names. */
export const pluginsDirectory = resolve(
  process.env['BUILT_PLUGIN'] ?? resolve(__dirname, '../../dist'),
  'plugins',
);

/**
 * `logs`: the demo's shape with few, designed rows. `slow`: a filter on `wait` takes minutes. `wide`:
 * 10,000 documents of 1 kB.
 */
const TABLE = `
CREATE TABLE logs (
  "@timestamp" DateTime64(3), host LowCardinality(String), status UInt16, bytes UInt64,
  latency_ms Float64, client_ip IPv4, referer Nullable(String), message String,
  tags Array(String), labels Map(String, String), price Decimal(10, 2), cached Bool
) ENGINE = MergeTree ORDER BY "@timestamp";
INSERT INTO logs SELECT
  toDateTime64('2026-01-01 00:00:00.000', 3, 'UTC') + INTERVAL number MINUTE,
  concat('web-', toString(number % 4)), if(number % 10 = 0, 503, 200), number * 100, number / 4,
  toIPv4(concat('10.0.0.', toString(number % 250))), if(number % 3 = 0, NULL, 'https://example.org/'),
  concat('request ', toString(number)), if(number % 2 = 0, ['even', 'all'], ['all']),
  map('team', if(number % 2 = 0, 'blue', 'red')), toDecimal64(number / 10, 2), number % 2 = 0
FROM numbers(600);
CREATE TABLE slow (
  "@timestamp" DateTime64(3) DEFAULT now64(3), n UInt64, wait UInt8 ALIAS sleepEachRow(0.00002)
) ENGINE = MergeTree ORDER BY n;
INSERT INTO slow (n) SELECT number FROM numbers(10000000);
CREATE TABLE wide (
  "@timestamp" DateTime64(3), n UInt64, payload String
) ENGINE = MergeTree ORDER BY "@timestamp";
INSERT INTO wide SELECT toDateTime64('2026-01-01 00:00:00.000', 3, 'UTC') + number, number, repeat('x', 1000) FROM numbers(10000);
`;

export const reader = { name: 'kibana', password: 'reads-only' } as const;

export async function startTables(): Promise<EmbeddedClickHouse> {
  const clickHouse = await startClickHouse({ users: [reader] });
  await runSql(clickHouse.url, TABLE);
  return clickHouse;
}

/** The plugin's configuration for a test; `over` replaces what it names. */
export const pluginConfig = (clickHouseUrl: string, over: JsonObject = {}): JsonObject => ({
  role: 'proxy',
  failure_mode: 'drop-in',
  log_level: 'error',
  authorization: 'none',
  settings: {
    proxy: {
      whiteIndexList: ['logs', 'slow', 'wide', 'absent'],
      ck: { url: clickHouseUrl, user: reader.name, pass: reader.password },
    },
  },
  ...over,
});

interface RouteConfig {
  readonly serviceUrl: string;
  readonly route?: JsonObject;
  readonly service?: JsonObject;
  readonly plugin: JsonObject;
}

/** A kong.yml of Services with one Route each, named by their place in the list. */
export const kongConfig = (routes: readonly RouteConfig[]): DeclarativeConfig => ({
  _format_version: '3.0',
  services: routes.map(({ serviceUrl, route, service, plugin }, i) => ({
    name: `service-${String(i)}`,
    url: serviceUrl,
    ...service,
    routes: [
      {
        name: `route-${String(i)}`,
        paths: ['/'],
        ...route,
        plugins: [{ name: 'kibana-clickhouse', config: plugin }],
      },
    ],
  })),
});

/** Starts the gateway; the answer process answers when it resolves, however busy the machine is. */
export async function startProduct(config: DeclarativeConfig): Promise<Gateway> {
  const gateway = await startGateway({ config, port: 0, pluginsDirectory });
  await whenAnswered(gateway, config);
  return gateway;
}

/** Resolves when the answer process answers on every Route, or has not for 30 s. */
export async function whenAnswered(gateway: Gateway, config: DeclarativeConfig): Promise<void> {
  await Promise.all(pathsOf(config).map((path) => answered(gateway, path)));
}

const answered = (gateway: Gateway, { path, host }: OwnPath): Promise<boolean> =>
  eventually(async () => {
    const answer = await ask(gateway.url, path, { headers: host === undefined ? {} : { host } });
    return (
      answer.headers['x-elastic-product'] !== undefined && !answer.text.includes('answer process')
    );
  });

interface OwnPath {
  readonly path: string;
  readonly host: string | undefined;
}

interface GivenRoute {
  readonly paths: readonly string[];
  readonly hosts?: readonly string[];
  readonly plugins: readonly {
    readonly config: {
      readonly settings: { readonly proxy: { readonly whiteIndexList: readonly string[] } };
    };
  }[];
}

/** On every Route the search of an index that is answered by the answer process. */
function pathsOf(config: DeclarativeConfig): readonly OwnPath[] {
  const services = config['services'] as unknown as readonly {
    readonly routes: readonly GivenRoute[];
  }[];
  return services
    .flatMap(({ routes }) => routes)
    .map(({ paths, hosts, plugins }) => {
      const index = plugins[0]?.config.settings.proxy.whiteIndexList[0] ?? '';
      const prefix = paths[0]?.replace(/\/$/, '') ?? '';
      return { path: `${prefix}/${index}/_search?size=0`, host: hosts?.[0] };
    });
}

/** Asks until the answer is yes; false when it is not within 30 s. */
export async function eventually(isSo: () => Promise<boolean>): Promise<boolean> {
  const until = Date.now() + 30_000;
  while (Date.now() < until) {
    if (await isSo()) return true;
    await sleep(20);
  }
  return false;
}

/** The answer process: the only child of the plugin server; undefined while there is none. */
export function answerProcessOf(pluginServerPid: number | undefined): number | undefined {
  if (pluginServerPid === undefined) return undefined;
  const { stdout } = spawnSync('pgrep', ['-P', String(pluginServerPid)], { encoding: 'utf8' });
  const [pid] = stdout.split('\n');
  return pid === undefined || pid === '' ? undefined : Number(pid);
}
