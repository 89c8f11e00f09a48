import { startGateway, type Gateway } from '../../dev/gateway/gateway';
import { ask } from './support/client';
import { probe, probeDirectory, type PluginDirectory } from './support/probe-plugin';
import { reset, startUpstream, type TestUpstream } from './support/upstream';

let plugins: PluginDirectory;
let upstream: TestUpstream;
let gateway: Gateway;

beforeAll(async () => {
  plugins = probeDirectory();
  upstream = await startUpstream();
  const keyAuth = (config = {}): object => ({ name: 'key-auth', config });
  const acl = { name: 'acl', config: { allow: ['admins'] } };
  gateway = await startGateway({
    port: 0,
    pluginsDirectory: plugins.path,
    config: {
      _format_version: '3.0',
      services: [
        {
          url: `http://127.0.0.1:${String(upstream.port)}`,
          routes: [
            { paths: ['/open'] },
            { paths: ['/key'], plugins: [keyAuth()] },
            {
              paths: ['/hidden'],
              plugins: [keyAuth({ hide_credentials: true, key_names: ['x-key', 'apikey'] })],
            },
            {
              paths: ['/header-only'],
              plugins: [keyAuth({ key_in_query: false, realm: 'kibana' })],
            },
            { paths: ['/admin'], plugins: [{ name: 'probe' }, acl, keyAuth()] },
            {
              paths: ['/denied'],
              plugins: [
                keyAuth(),
                { name: 'acl', config: { deny: ['admins'], hide_groups_header: true } },
              ],
            },
            { paths: ['/acl-alone'], plugins: [acl] },
          ],
        },
      ],
      consumers: [
        {
          username: 'admin',
          custom_id: 'c1',
          keyauth_credentials: [{ key: 'admin-key' }],
          acls: [{ group: 'admins' }, { group: 'all' }],
        },
        {
          username: 'reader',
          keyauth_credentials: [{ key: 'reader-key' }],
          acls: [{ group: 'all' }],
        },
      ],
    } as never,
  });
}, 30_000);

afterAll(async () => {
  await gateway.close();
  await upstream.close();
  plugins.remove();
});

beforeEach(() => {
  reset(upstream);
});

const key = (value: string): object => ({ headers: { apikey: value } });

describe('key-auth and acl', () => {
  test.each([
    ['/key', {}, 401, 'No API key found in request'],
    ['/key', key(''), 401, 'No API key found in request'],
    ['/key', key('wrong'), 401, 'Unauthorized'],
    ['/key', key('REPLACE-ME'), 401, 'Unauthorized'],
    ['/key', { headers: { apikey: ['reader-key', 'admin-key'] } }, 401, 'Duplicate API key found'],
    ['/header-only?apikey=admin-key', {}, 401, 'No API key found in request'],
    ['/admin', key('reader-key'), 403, 'You cannot consume this service'],
    ['/admin', {}, 401, 'No API key found in request'],
    ['/denied', key('admin-key'), 403, 'You cannot consume this service'],
    ['/acl-alone', key('admin-key'), 401, 'Unauthorized'],
  ])('%s %j is refused', async (path, options, status, message) => {
    const answer = await ask(gateway.url, path, options);
    expect(answer.status).toBe(status);
    expect(answer.json()).toMatchObject({ message });
    expect(upstream.seen).toEqual([]);
  });

  test.each([
    ['/key', key('reader-key')],
    ['/key?apikey=reader-key', {}],
    ['/hidden', { headers: { 'X-Key': 'reader-key' } }],
    ['/header-only', key('reader-key')],
    ['/admin', key('admin-key')],
    ['/denied', key('reader-key')],
    ['/open', {}],
  ])('%s %j passes', async (path, options) => {
    expect((await ask(gateway.url, path, options)).status).toBe(200);
  });

  test('an upload is refused without being read', async () => {
    const options = { method: 'POST', body: Buffer.alloc(1_048_576) };
    expect((await ask(gateway.url, '/key', options)).status).toBe(401);
    expect(upstream.seen).toEqual([]);
  });

  test('a refusal names the scheme', async () => {
    expect((await ask(gateway.url, '/key')).headers['www-authenticate']).toBe('Key');
    expect((await ask(gateway.url, '/header-only')).headers['www-authenticate']).toBe(
      'Key realm="kibana"',
    );
  });
});

describe('who the upstream and the plugin take it for', () => {
  const claimed = {
    'x-consumer-username': 'forged',
    'x-consumer-groups': 'forged',
    'x-anonymous-consumer': 'true',
  };

  test('after authentication: the consumer, whatever the client claimed', async () => {
    await ask(gateway.url, '/admin', { headers: { apikey: 'admin-key', ...claimed } });
    const headers = upstream.seen[0]?.headers;
    expect(headers).toMatchObject({
      'x-consumer-username': 'admin',
      'x-consumer-custom-id': 'c1',
      'x-consumer-id': expect.any(String),
      'x-credential-identifier': expect.any(String),
      'x-consumer-groups': 'admins, all',
      apikey: 'admin-key',
    });
    expect(headers).not.toHaveProperty('x-anonymous-consumer');
  });

  test('without an authentication plugin the claim passes untouched', async () => {
    await ask(gateway.url, '/open', { headers: claimed });
    expect(upstream.seen[0]?.headers).toMatchObject(claimed);
  });

  test('hide_credentials removes the key from header and query', async () => {
    await ask(gateway.url, '/hidden?a=1&apikey=reader-key&b=%2C', {});
    expect(upstream.seen[0]?.url).toBe('/?a=1&b=%2C');
    await ask(gateway.url, '/hidden?apikey=reader-key', {});
    expect(upstream.seen[1]?.url).toBe('/');
    await ask(gateway.url, '/hidden', key('reader-key'));
    expect(upstream.seen[2]?.headers).not.toHaveProperty('apikey');
  });

  test('the plugin runs after both, and only for those who pass', async () => {
    const calls = probe([['client.getConsumer'], ['client.getCredential']]);
    const answer = await ask(gateway.url, '/admin', { headers: { apikey: 'admin-key', ...calls } });
    expect(answer.json()).toMatchObject({
      results: [{ username: 'admin', custom_id: 'c1' }, { key: 'admin-key' }],
    });
    expect((await ask(gateway.url, '/admin', { headers: calls })).status).toBe(401);
  });
});
