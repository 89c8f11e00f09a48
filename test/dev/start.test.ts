import { type ChildProcess, execFileSync, spawn } from 'node:child_process';
import { existsSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { createServer, type Server } from 'node:net';
import { tmpdir } from 'node:os';
import { join, resolve } from 'node:path';
import { request } from 'undici';
import { bindablePort } from '../../dev/clickhouse/free-port';
import { processTree, untilGone } from './processes';

jest.setTimeout(120_000);

const root = resolve(__dirname, '../..');

interface Ended {
  readonly code: number | null;
  readonly out: string;
  readonly err: string;
}

/** One run of the start command. */
class Run {
  readonly child: ChildProcess;
  readonly ended: Promise<Ended>;
  #out = '';
  #err = '';

  constructor(args: readonly string[]) {
    this.child = spawn(process.execPath, ['--import', 'tsx', 'dev/start.ts', ...args], {
      cwd: root,
      stdio: ['ignore', 'pipe', 'pipe'],
    });
    this.child.stdout?.on('data', (chunk: Buffer) => (this.#out += chunk.toString()));
    this.child.stderr?.on('data', (chunk: Buffer) => (this.#err += chunk.toString()));
    this.ended = new Promise((done) => {
      this.child.once('close', (code) => {
        done({ code, out: this.#out, err: this.#err });
      });
    });
  }

  get pid(): number {
    return this.child.pid ?? 0;
  }

  /** The gateway's address once the ready line is there; throws when the command ends before. */
  async ready(): Promise<string> {
    const early = this.ended.then(({ code, err }) => {
      throw new Error(`ended with ${String(code)}: ${err}`);
    });
    const line = new Promise<string>((done) => {
      this.child.stdout?.on('data', () => {
        const url = /^ready (\S+)$/m.exec(this.#out)?.[1];
        if (url !== undefined) done(url);
      });
    });
    return Promise.race([line, early]);
  }

  get out(): string {
    return this.#out;
  }
}

const runs: Run[] = [];
const start = (...args: readonly string[]): Run => {
  const run = new Run(args);
  runs.push(run);
  return run;
};

let folder: string;
const file = (name: string, text: string): string => {
  const path = join(folder, name);
  writeFileSync(path, text);
  return path;
};

beforeAll(() => {
  folder = mkdtempSync(join(tmpdir(), 'start-test-'));
  if (!existsSync(join(root, 'dist/plugins'))) {
    execFileSync('npm', ['run', '--silent', 'build'], { cwd: root, stdio: 'inherit' });
  }
});
afterAll(async () => {
  for (const run of runs) run.child.kill('SIGTERM');
  await Promise.all(runs.map((run) => run.ended));
  rmSync(folder, { recursive: true, force: true });
});

const post = async (url: string, body: string, type = 'json'): Promise<unknown> => {
  const answer = await request(url, {
    method: 'POST',
    headers: { 'content-type': `application/${type}` },
    body,
  });
  return { status: answer.statusCode, body: await answer.body.json() };
};

describe('npm start', () => {
  it('explains itself', async () => {
    const { code, out } = await start('--help').ended;
    expect(code).toBe(0);
    for (const option of ['config', 'port', 'clickhouse', 'data-dir', 'elasticsearch', 'init']) {
      expect(out).toContain(`--${option} `);
    }
  });

  it('refuses an unknown option with exit code 2', async () => {
    const { code, err, out } = await start('--bogus').ended;
    expect([code, out]).toEqual([2, '']);
    expect(err).toContain("Unknown option '--bogus'");
  });

  it('names the file and the statement of an --init that fails', async () => {
    const sql = file('bad.sql', 'SELECT 1;\nSELECT nothing_such;');
    const { code, err } = await start('--no-demo', '--port', '0', '--init', sql).ended;
    expect(code).toBe(1);
    expect(err).toContain(`${sql}: statement 2 (line 2)`);
    expect(err).toContain('nothing_such');
  });

  it('names what it cannot honour in a kong.yml', async () => {
    const config = file('kong.yml', '_format_version: "3.0"\nupstreams:\n  - name: u\n');
    const { code, err } = await start('--no-demo', '--port', '0', '--config', config).ended;
    expect(code).toBe(1);
    expect(err).toContain('upstreams');
  });

  it('says that its port is taken', async () => {
    const other: Server = createServer();
    const port = await bindablePort();
    await new Promise<void>((done) => other.listen(port, '127.0.0.1', done));
    const { code, err } = await start('--no-demo', '--port', String(port)).ended;
    expect(code).toBe(1);
    expect(err).toContain(`127.0.0.1:${String(port)}: another program uses this port`);
    await new Promise((done) => other.close(done));
  });

  it('answers from the tables of --init on the port asked for, and SIGINT leaves nothing', async () => {
    const sql = file(
      'logs.sql',
      `CREATE TABLE logs ("@timestamp" DateTime64(3), status UInt16) ENGINE = MergeTree ORDER BY "@timestamp";
       INSERT INTO logs VALUES ('2026-01-01 00:00:00.000', 200), ('2026-01-01 00:00:01.000', 503);`,
    );
    const port = await bindablePort();
    const run = start('--no-demo', '--port', String(port), '--init', sql, '--admin-key', 'k');
    const url = await run.ready();
    expect(url).toBe(`http://127.0.0.1:${String(port)}`);
    expect(await post(`${url}/logs/_search`, '{"query":{"term":{"status":503}}}')).toMatchObject({
      status: 200,
      body: { hits: { total: { value: 1, relation: 'eq' } } },
    });
    const admin = (apikey: string): Promise<number> =>
      request(`${url}/config/all`, { headers: { apikey } }).then(async ({ statusCode, body }) => {
        await body.dump();
        return statusCode;
      });
    expect(await admin('k')).toBe(200);
    expect(await admin('other')).toBe(401);

    const update = async (what: string): Promise<number> => {
      const answer = await request(`${url}/config/${what}`, {
        method: 'POST',
        headers: { apikey: 'k' },
      });
      await answer.body.dump();
      return answer.statusCode;
    };
    // the shipped kong.yml names neither a place nor a key for them
    expect(await update('updateRound?round=20')).toBe(200);
    expect(await update('updateEs?host=127.0.0.1:1&headers=authorization:ApiKey%20of-a-test')).toBe(
      200,
    );

    const tree = processTree(run.pid);
    expect(tree.length).toBeGreaterThanOrEqual(4);
    run.child.kill('SIGINT');
    expect((await run.ended).code).toBe(0);
    await untilGone(tree);
  });

  it('finds settings and their key again in --data-dir', async () => {
    const options = ['--no-demo', '--port', '0', '--data-dir', join(folder, 'data')];
    const roundOf = async (url: string): Promise<unknown> => {
      const answer = await request(`${url}/config/all`, { headers: { apikey: 'k' } });
      const { proxy } = (await answer.body.json()) as { proxy: { round: number; es: unknown } };
      return { round: proxy.round, es: proxy.es };
    };
    const first = start(...options, '--admin-key', 'k');
    const url = await first.ready();
    for (const what of ['updateRound?round=20', 'updateEs?host=127.0.0.1:1&headers=a:secret'])
      await request(`${url}/config/${what}`, { method: 'POST', headers: { apikey: 'k' } }).then(
        ({ body }) => body.dump(),
      );
    const kept = await roundOf(url);
    expect(kept).toMatchObject({ round: 20, es: { host: '127.0.0.1:1' } });
    first.child.kill('SIGTERM');
    await first.ended;
    const second = start(...options, '--admin-key', 'k');
    expect(await roundOf(await second.ready())).toEqual(kept);
    second.child.kill('SIGTERM');
    await second.ended;
  });

  it('loads the demo table, prints requests that work, and dies with SIGKILL as a whole', async () => {
    const run = start('--port', '0', '--rows', '50000');
    const url = await run.ready();
    const commands = run.out.split('\n\n').filter((part) => part.startsWith('curl '));
    expect(commands).toHaveLength(3);
    const [search, several, terms] = commands.map(
      (command) => JSON.parse(execFileSync('sh', ['-c', command], { encoding: 'utf8' })) as unknown,
    );
    expect(search).toMatchObject({
      timed_out: false,
      hits: { hits: [{ _index: 'access_log' }, {}, {}] },
      aggregations: { histogram: { buckets: expect.arrayContaining([]) } },
    });
    expect(several).toMatchObject({ responses: [{ status: 200 }, { status: 200 }] });
    expect(terms).toMatchObject({
      aggregations: {
        hosts: { buckets: expect.arrayContaining([expect.objectContaining({ key: 'web-01' })]) },
      },
    });
    const nowhere = await request(`${url}/not_whitelisted/_search`);
    expect(nowhere.statusCode).toBe(502);
    expect(await nowhere.body.json()).toMatchObject({
      error: { reason: expect.stringContaining('metadata_config.hosts') },
    });

    const tree = processTree(run.pid);
    run.child.kill('SIGKILL');
    await run.ended;
    await untilGone(tree);
  });
});
