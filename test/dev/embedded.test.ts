import { type ChildProcess, spawn } from 'node:child_process';
import { existsSync, mkdtempSync, rmSync } from 'node:fs';
import { createServer } from 'node:net';
import { tmpdir } from 'node:os';
import { join, resolve } from 'node:path';
import { type EmbeddedClickHouse, startClickHouse } from '../../dev/clickhouse/embedded';
import { engineLibrary } from '../../dev/clickhouse/engine-library';
import { connect, query, runSql } from '../../dev/clickhouse/run-sql';
import { changeableSettings } from '../../dev/clickhouse/users';
import { isAlive, untilGone } from './processes';

jest.setTimeout(60_000);

const reader = { name: 'kibana', password: 'it\'s <& "secret"' };

describe('the embedded ClickHouse', () => {
  let server: EmbeddedClickHouse;
  const asReader = (sql: string): Promise<string> =>
    query({ url: server.url, user: reader.name, password: reader.password }, sql);

  beforeAll(async () => {
    server = await startClickHouse({ users: [reader] });
    await runSql(
      server.url,
      `CREATE TABLE logs (n Int32) ENGINE = MergeTree ORDER BY n;
       INSERT INTO logs VALUES (1), (2);
       CREATE DATABASE elsewhere;
       CREATE TABLE elsewhere.logs (n Int32) ENGINE = MergeTree ORDER BY n`,
    );
  });
  afterAll(() => server.close());

  it('answers over HTTP as a ClickHouse of today', async () => {
    expect(await query(server.url, 'SELECT count() FROM logs')).toBe('2');
    expect(await query(server.url, "SELECT toUInt16(splitByChar('.', version())[1]) >= 24")).toBe(
      '1',
    );
  });

  it('refuses a port that is taken, naming it', async () => {
    await expect(startClickHouse({ port: server.port })).rejects.toThrow(
      `ClickHouse cannot listen on 127.0.0.1:${String(server.port)}: another program uses this port`,
    );
  });

  it('refuses a data directory in use, naming it', async () => {
    await expect(startClickHouse({ dataDirectory: server.dataDirectory })).rejects.toThrow(
      `The data directory ${server.dataDirectory} is in use by another ClickHouse server`,
    );
  });

  it('does not wait for a server that a wrong configuration has ended', async () => {
    await expect(startClickHouse({ extraXml: '<unclosed>' })).rejects.toThrow(
      'ClickHouse ended (exit code 1)',
    );
  });

  describe('the reading user', () => {
    it('reads the tables of every database and the catalogue', async () => {
      expect(await asReader('SELECT sum(n) FROM logs')).toBe('3');
      expect(await asReader('SELECT count() FROM elsewhere.logs')).toBe('0');
      expect(await asReader("SELECT count() FROM system.columns WHERE table = 'logs'")).toBe('2');
      expect(Number(await asReader('SELECT count() FROM system.functions'))).toBeGreaterThan(1000);
      expect(Number(await asReader('SELECT count() FROM system.settings'))).toBeGreaterThan(100);
    });

    it.each([
      ['writing', 'INSERT INTO logs VALUES (3)'],
      ['creating', 'CREATE TABLE more (n Int32) ENGINE = Memory'],
      ['other users’ queries', 'SELECT query FROM system.processes'],
      ['other servers', "SELECT * FROM url('http://127.0.0.1:1/', 'CSV', 'n Int32')"],
      ['files', "SELECT * FROM file('/etc/passwd', 'LineAsString', 'line String')"],
    ])('is refused %s', async (_, sql) => {
      await expect(asReader(sql)).rejects.toMatchObject({
        code: expect.stringMatching(/^(497|164)$/),
      });
    });

    it('is refused with a wrong password', async () => {
      const wrong = { url: server.url, user: reader.name, password: 'wrong' };
      await expect(query(wrong, 'SELECT 1')).rejects.toMatchObject({ code: '516' });
    });

    it('may change the settings that the product sends, and no others', async () => {
      const client = connect({ ...server, user: reader.name, password: reader.password });
      const withSetting = async (name: string, value: string | number): Promise<string> => {
        const answer = await client.query({
          query: `SELECT value FROM system.settings WHERE name = '${name}'`,
          format: 'TabSeparated',
          clickhouse_settings: { [name]: value },
        });
        return (await answer.text()).trim();
      };
      try {
        expect(await withSetting('max_execution_time', 7)).toBe('7');
        expect(await withSetting('log_comment', 'request 1')).toBe('request 1');
        expect(await withSetting('cancel_http_readonly_queries_on_client_close', 1)).toBe('1');
        // 0 would mean no limit at all
        await expect(withSetting('max_execution_time', 0)).rejects.toMatchObject({ code: '452' });
        await expect(withSetting('readonly', 0)).rejects.toMatchObject({ code: '164' });
        await expect(withSetting('max_threads', 1)).rejects.toMatchObject({ code: '164' });
      } finally {
        await client.close();
      }
    });

    it('has a constraint for every setting of the list', async () => {
      const names = changeableSettings.map((name) => `'${name}'`).join(', ');
      const changeable = `SELECT count() FROM system.settings WHERE name IN (${names}) AND NOT readonly`;
      expect(await asReader(changeable)).toBe(String(changeableSettings.length));
    });
  });
});

describe('the data of the embedded ClickHouse', () => {
  it('outlives a crash in a named directory', async () => {
    const dataDirectory = mkdtempSync(join(tmpdir(), 'embedded-test-'));
    try {
      const first = await startClickHouse({ dataDirectory });
      await runSql(
        first.url,
        'CREATE TABLE t (n Int32) ENGINE = MergeTree ORDER BY n; INSERT INTO t SELECT number FROM numbers(1000)',
      );
      await first.kill();
      expect(isAlive(first.pid)).toBe(false);
      const second = await startClickHouse({ dataDirectory });
      expect(await query(second.url, 'SELECT count(), max(n) FROM t')).toBe('1000\t999');
      await second.close();
      expect(existsSync(dataDirectory)).toBe(true);
    } finally {
      rmSync(dataDirectory, { recursive: true, force: true });
    }
  });

  it('is removed at close when the directory was temporary', async () => {
    const server = await startClickHouse();
    expect(existsSync(server.dataDirectory)).toBe(true);
    await server.close();
    expect(existsSync(server.dataDirectory)).toBe(false);
    await expect(server.ended).resolves.toContain('SIGKILL');
  });
});

describe('the process of the embedded ClickHouse', () => {
  let parent: ChildProcess;

  it('ends with a parent that was killed, and its temporary data too', async () => {
    parent = spawn(process.execPath, ['--import', 'tsx', join(__dirname, 'engine-parent.ts')], {
      cwd: resolve(__dirname, '../..'),
      stdio: ['ignore', 'pipe', 'inherit'],
    });
    const line = await new Promise<string>((done) => parent.stdout?.once('data', done));
    const { pid, dataDirectory } = JSON.parse(line) as { pid: number; dataDirectory: string };
    expect(isAlive(pid)).toBe(true);
    expect(existsSync(dataDirectory)).toBe(true);
    parent.kill('SIGKILL');
    await untilGone([pid]);
    expect(existsSync(dataDirectory)).toBe(false);
  });

  afterAll(() => parent.kill('SIGKILL'));
});

describe('engineLibrary', () => {
  it.each([
    [{ platform: 'linux', arch: 'x64', glibc: false }, 'linux-x64-musl'],
    [{ platform: 'win32', arch: 'x64', glibc: false }, 'win32-x64'],
    [{ platform: 'linux', arch: 's390x', glibc: true }, 'linux-s390x-glibc'],
  ])('names what exists where there is no engine: %j', (platform, name) => {
    expect(() => engineLibrary(platform)).toThrow(
      `The embedded ClickHouse has no prebuilt engine for ${name}. It exists for linux-x64-glibc, ` +
        'linux-arm64-glibc, darwin-x64, darwin-arm64. Name a ClickHouse server instead: --clickhouse URL',
    );
  });
});

describe('a port taken by another program', () => {
  it('is told apart from a ClickHouse that does not start', async () => {
    const other = createServer();
    const port = await new Promise<number>((done) => {
      other.listen(0, '127.0.0.1', () => {
        const address = other.address();
        done(typeof address === 'object' && address !== null ? address.port : 0);
      });
    });
    await expect(startClickHouse({ port })).rejects.toThrow('another program uses this port');
    await new Promise((done) => other.close(done));
  });
});
