import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { createServer, type Server } from 'node:https';
import type { AddressInfo } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { metadataKind } from '../../plugins/kibana-clickhouse/gateway/connections/metadata-cluster';
import { openStore } from '../../plugins/kibana-clickhouse/metadata/store/open-store';
import { selfSigned } from '../gateway/certificate';

const directory = mkdtempSync(join(tmpdir(), 'elasticsearch-tls-'));
const { key, cert } = selfSigned();
const ca = join(directory, 'ca.pem');
let server: Server;
let hosts: readonly string[];

beforeAll(async () => {
  writeFileSync(ca, cert);
  server = createServer({ key, cert }, (_request, response) => {
    response.setHeader('content-type', 'application/json');
    response.writeHead(404).end('{"found":false}');
  });
  await new Promise<void>((done) => server.listen(0, '127.0.0.1', done));
  hosts = [`https://127.0.0.1:${String((server.address() as AddressInfo).port)}`];
});

afterAll(() => {
  server.closeAllConnections();
  server.close();
  rmSync(directory, { recursive: true, force: true });
});

/** The status of a request that is sent on. */
async function sentOn(given: string | undefined): Promise<number> {
  const connection = metadataKind.open({ hosts, headers: {}, authorizes: false, ca: given });
  if (!connection) throw new Error('no connection');
  try {
    const { signal } = new AbortController();
    const request = {
      method: 'GET',
      target: '/',
      prefix: '',
      headers: [],
      body: Buffer.of(),
      signal,
    };
    const { status, body } = await connection.elasticsearch.send(request);
    body.resume();
    return status;
  } finally {
    await metadataKind.close(connection);
  }
}

async function readSettings(given: string | undefined): Promise<unknown> {
  const store = openStore(
    { metadata_config: { hosts, ...(given !== undefined && { ca: given }) } },
    () => 1,
  );
  try {
    return await store.read(new AbortController().signal);
  } finally {
    await store.close();
  }
}

it.each([
  ['the path of a file', () => ca],
  ['PEM text', () => cert.toString()],
])('trusts the authorities of metadata_config.ca: %s', async (_form, given) => {
  expect(await sentOn(given())).toBe(404);
  expect(await readSettings(given())).toMatchObject({});
});

it('trusts nobody else', async () => {
  await expect(sentOn(undefined)).rejects.toMatchObject({ status: 503 });
  await expect(readSettings(undefined)).rejects.toMatchObject({ status: 503 });
});

it('names the field whose file cannot be used, not the file', async () => {
  await expect(sentOn(join(directory, 'absent'))).rejects.toMatchObject({
    status: 500,
    message: '[kibana-clickhouse] the file of metadata_config.ca cannot be read: ENOENT',
  });
  writeFileSync(join(directory, 'empty'), '');
  await expect(readSettings(join(directory, 'empty'))).rejects.toMatchObject({
    message: '[kibana-clickhouse] the file of metadata_config.ca holds no PEM',
  });
});
