import {
  type AddressInfo,
  type Server as TcpServer,
  createServer as createTcpServer,
} from 'node:net';
import { type EmbeddedClickHouse, startClickHouse } from '../../../dev/clickhouse/embedded';
import {
  type ClickHouseExecutor,
  createExecutor,
  type ExecutorOptions,
} from '../../../plugins/kibana-clickhouse/clickhouse/execution/clickhouse-executor';
import { failoverExecutor } from '../../../plugins/kibana-clickhouse/clickhouse/execution/failover-executor';
import { compileSelect } from '../../../plugins/kibana-clickhouse/clickhouse/sql/compile';
import { as, integer } from '../../../plugins/kibana-clickhouse/clickhouse/sql/build';
import { makeAuthority } from '../../tls/authority';
import { type Front, startFront } from '../../tls/front';

jest.setTimeout(60_000);

const reader = { name: 'reader', password: 'reads-only' } as const;
const authority = makeAuthority();
let clickHouse: EmbeddedClickHouse;
let front: Front;
let strict: Front;
const open: ClickHouseExecutor[] = [];
const executor = (options: Partial<ExecutorOptions>): ClickHouseExecutor => {
  const made = createExecutor({
    url: front.url,
    user: reader.name,
    pass: reader.password,
    ...options,
  });
  open.push(made);
  return made;
};

const one = compileSelect({
  columns: [as('n', integer(2))],
  from: { kind: 'table', database: 'system', table: 'one' },
});
const context = () => ({ signal: new AbortController().signal, comment: '' });
const two = async (asked: ClickHouseExecutor): Promise<unknown> =>
  (await asked.rows(one, context())).rows;

beforeAll(async () => {
  clickHouse = await startClickHouse({ users: [reader] });
  front = await startFront(clickHouse.url, authority);
  strict = await startFront(clickHouse.url, authority, {
    requestCert: true,
    rejectUnauthorized: true,
  });
});

afterAll(async () => {
  await Promise.all(open.map((made) => made.close()));
  front.close();
  strict.close();
  await clickHouse.close();
});

describe('TLS', () => {
  it('asks a server that an authority of the configuration vouches for', async () => {
    expect(await two(executor({ tls: { ca: authority.ca } }))).toEqual([[2]]);
  });

  it('asks no other', async () => {
    await expect(two(executor({}))).rejects.toMatchObject({
      status: 503,
      message: expect.stringMatching(/cannot be trusted: \[[A-Z_]+\]/) as string,
    });
  });

  const pair = { certificate: authority.client.cert, key: authority.client.key };

  it('shows its certificate to a server that asks for one, and still says its password', async () => {
    const tls = { ca: authority.ca };
    await expect(two(executor({ url: strict.url, tls }))).rejects.toMatchObject({ status: 503 });
    const known = executor({
      url: strict.url,
      tls: { ...tls, ...pair },
    });
    expect(await two(known)).toEqual([[2]]);
    expect(strict.seen.at(-1)).toHaveProperty('authorization');
    expect(strict.seen.at(-1)).not.toHaveProperty('x-clickhouse-ssl-certificate-auth');
  });

  it('is known by its certificate where there is no password', async () => {
    const known = executor({
      url: strict.url,
      pass: '',
      tls: { ca: authority.ca, ...pair },
    });
    // the front speaks plain HTTP to ClickHouse, which then knows nobody by a certificate
    await expect(two(known)).rejects.toMatchObject({ status: 503 });
    expect(strict.seen.at(-1)).toMatchObject({
      'x-clickhouse-user': reader.name,
      'x-clickhouse-ssl-certificate-auth': 'on',
    });
    expect(strict.seen.at(-1)).not.toHaveProperty('authorization');
  });

  it('gives a server up that does not finish the handshake in three seconds', async () => {
    const silent = await listening();
    await expect(
      two(executor({ url: `https://127.0.0.1:${String(silent.port)}` })),
    ).rejects.toMatchObject({
      status: 503,
      message: expect.stringContaining('it does not answer') as string,
    });
    silent.close();
  });
});

/** Takes connections and says nothing. */
async function listening(): Promise<{ readonly port: number; readonly close: () => void }> {
  const sockets = new Set<{ destroy(): unknown }>();
  const server: TcpServer = createTcpServer((socket) =>
    sockets.add(socket.on('error', () => undefined)),
  );
  await new Promise<void>((done) => server.listen(0, '127.0.0.1', done));
  return {
    port: (server.address() as AddressInfo).port,
    close: () => {
      for (const socket of sockets) socket.destroy();
      server.close();
    },
  };
}

describe('several servers', () => {
  const dead = 'http://127.0.0.1:1';
  /** How often a server was asked. */
  const counted = (
    asked: ClickHouseExecutor,
  ): { readonly executor: ClickHouseExecutor; count: number } => {
    const counter = {
      count: 0,
      executor: {
        ...asked,
        rows: (...given: Parameters<ClickHouseExecutor['rows']>) => {
          counter.count++;
          return asked.rows(...given);
        },
      },
    };
    return counter;
  };

  it('asks the next one where one cannot be reached, and leaves that alone for ten seconds', async () => {
    let now = 0;
    const [gone, there] = [
      counted(executor({ url: dead })),
      counted(executor({ url: clickHouse.url })),
    ];
    const both = failoverExecutor([gone.executor, there.executor], () => now);
    expect([await two(both), await two(both)]).toEqual([[[2]], [[2]]]);
    expect([gone.count, there.count]).toEqual([1, 2]);
    now = 10_000;
    await two(both);
    expect([gone.count, there.count]).toEqual([2, 3]);
  });

  it('prefers the first one', async () => {
    const [first, second] = [clickHouse.url, clickHouse.url].map((url) =>
      counted(executor({ url })),
    );
    if (!first || !second) throw new Error('two');
    await two(failoverExecutor([first.executor, second.executor]));
    expect([first.count, second.count]).toEqual([1, 0]);
  });

  it('says why when none can be reached', async () => {
    const none = failoverExecutor([executor({ url: dead }), executor({ url: dead })]);
    const refused = {
      status: 503,
      message: expect.stringContaining('connection refused') as string,
    };
    await expect(two(none)).rejects.toMatchObject(refused);
    await expect(none.ping()).rejects.toMatchObject(refused);
  });

  it('tells which cannot be reached while another answers', async () => {
    const both = failoverExecutor([executor({ url: clickHouse.url }), executor({ url: dead })]);
    expect(await both.ping()).toEqual([
      expect.stringMatching(/^server 2 of 2: ClickHouse is not reachable: connection refused$/),
    ]);
  });

  it('does not send a statement again that a server had when it went away', async () => {
    const cut = createTcpServer((socket) => {
      socket.on('error', () => undefined).once('data', () => socket.destroy());
    });
    await new Promise<void>((done) => cut.listen(0, '127.0.0.1', done));
    const { port } = cut.address() as AddressInfo;
    const next = counted(executor({ url: clickHouse.url }));
    const both = failoverExecutor([
      executor({ url: `http://127.0.0.1:${String(port)}` }),
      next.executor,
    ]);
    await expect(two(both)).rejects.toMatchObject({
      status: 503,
      message: expect.stringContaining('closed the connection') as string,
    });
    expect(next.count).toBe(0);
    cut.close();
  });
});
