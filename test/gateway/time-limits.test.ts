import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { EmbeddedClickHouse } from '../../dev/clickhouse/embedded';
import type { Gateway } from '../../dev/gateway/gateway';
import type { JsonObject } from '../../plugins/kibana-clickhouse/common/json/json';
import { admin, bothRoles } from './admin';
import { ask, closeClient } from './client';
import { pluginConfig, startProduct, startTables } from './product';
import { startUpstream, type Upstream } from './upstream';

jest.setTimeout(120_000);

const directory = mkdtempSync(join(tmpdir(), 'time-limits-'));
let clickHouse: EmbeddedClickHouse;
let upstream: Upstream;
let gateway: Gateway | undefined;

beforeAll(async () => {
  [clickHouse, upstream] = await Promise.all([startTables(), startUpstream()]);
});

afterEach(async () => {
  await gateway?.close();
  gateway = undefined;
});

afterAll(async () => {
  closeClient();
  await Promise.all([upstream.close(), clickHouse.close()]);
  rmSync(directory, { recursive: true, force: true });
});

/** What `/health` says after a search through a Service with that time limit. */
async function healthWith(readTimeout: number): Promise<JsonObject> {
  const serviceUrl = `http://127.0.0.1:${String(upstream.port)}`;
  const over = { state_file: join(directory, 'state.json') };
  const config = bothRoles(serviceUrl, pluginConfig(clickHouse.url, over));
  const services = config['services'] as unknown as readonly JsonObject[];
  gateway = await startProduct({
    ...config,
    services: services.map((service) => ({ ...service, read_timeout: readTimeout })),
  });
  expect((await ask(gateway.url, '/logs/_search')).status).toBe(200);
  return (await admin(gateway, '/health')).json() as JsonObject;
}

it('names a limit of ClickHouse that is not below the time that Kong waits', async () => {
  expect(await healthWith(30_000)).toMatchObject({
    status: 'degraded',
    problems: [
      'time_limits: query.maxExecutionMs is 30000 ms, which is not below the read_timeout of the Service, 30000 ms: Kong gives a slow search up and repeats it',
    ],
  });
});

it('names none where Kong waits longer', async () => {
  expect(await healthWith(30_001)).toMatchObject({ status: 'up', problems: [] });
});
