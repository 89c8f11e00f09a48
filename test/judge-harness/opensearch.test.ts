import { spawn } from 'node:child_process';
import { existsSync } from 'node:fs';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { describeStarting } from '../judge/describe-judged';
import { opensearch } from '../judge/engines';
import { loadIndex } from '../judge/load';
import { judgeRequest } from '../judge/request';
import { type Judge, startEngine, startOpenSearch } from '../judge/start';

const startLimitMs = 400_000;

const exists = (pid: number): boolean => {
  try {
    return process.kill(pid, 0);
  } catch {
    return false;
  }
};

const answers = (url: string): Promise<boolean> =>
  judgeRequest(url, 'GET', '/').then(
    () => true,
    () => false,
  );

async function until(condition: () => boolean | Promise<boolean>): Promise<void> {
  while (!(await condition())) await sleep(50);
}

describeStarting('an OpenSearch of our own', () => {
  let judge: Judge;

  beforeAll(async () => {
    judge = await startEngine(opensearch);
  }, startLimitMs);

  afterAll(() => judge.close(), startLimitMs);

  it('is 2.19.1', async () => {
    expect(judge.version).toBe('2.19.1');
    const { body } = await judgeRequest(judge.url, 'GET', '/');
    expect(body).toMatchObject({ version: { distribution: 'opensearch', number: '2.19.1' } });
  });

  it('has what the other judge lacks: multi_terms, point in time, the english analyzer', async () => {
    await loadIndex(judge.url, {
      index: 'two',
      mappings: {
        properties: {
          a: { type: 'keyword' },
          n: { type: 'long' },
          t: { type: 'text', analyzer: 'english' },
        },
      },
      documents: [{ source: { a: 'x', n: 1, t: 'foxes running' } }, { source: { a: 'x', n: 2 } }],
    });
    const { body } = await judgeRequest(judge.url, 'POST', '/two/_search', {
      query: { match: { t: 'fox run' } },
      aggs: { pairs: { multi_terms: { terms: [{ field: 'a' }, { field: 'n' }] } } },
    });
    expect(body).toMatchObject({
      hits: { total: { value: 1 } },
      aggregations: { pairs: { buckets: [{ key_as_string: 'x|1', doc_count: 1 }] } },
    });
    const pit = await judgeRequest(judge.url, 'POST', '/two/_search/point_in_time?keep_alive=1m');
    expect(pit.status).toBe(200);
  });

  it('spells days in full', async () => {
    await loadIndex(judge.url, {
      index: 'days',
      mappings: { properties: { at: { type: 'date' } } },
      documents: [{ source: { at: '2024-01-01' } }],
    });
    const { body } = await judgeRequest(judge.url, 'POST', '/days/_search', {
      docvalue_fields: [{ field: 'at', format: 'EEEE, e' }],
    });
    expect(body).toMatchObject({ hits: { hits: [{ fields: { at: ['Monday, 1'] } }] } });
  });

  it('is used and left alone where the environment names it', async () => {
    process.env[opensearch.variable] = judge.url;
    const named = await startOpenSearch();
    Reflect.deleteProperty(process.env, opensearch.variable);
    expect(named).toMatchObject({ url: judge.url, version: '2.19.1', pid: undefined });
    await named.close();
    expect(await answers(judge.url)).toBe(true);
  });

  it(
    'leaves neither process nor data behind when it is closed',
    async () => {
      const other = await startEngine(opensearch, { heapMegabytes: 256 });
      const { pid = 0, home = '' } = other;
      expect([exists(pid), existsSync(home)]).toEqual([true, true]);
      await other.close();
      expect([exists(pid), existsSync(home)]).toEqual([false, false]);
      expect(await answers(other.url)).toBe(false);
    },
    startLimitMs,
  );

  it(
    'ends and removes its data when the process that started it is killed',
    async () => {
      const holder = spawn(
        process.execPath,
        ['--import', 'tsx', join(__dirname, 'hold-engine.ts')],
        { stdio: ['ignore', 'pipe', 'inherit'] },
      );
      const line = await new Promise<string>((done) => {
        holder.stdout.once('data', (chunk: Buffer) => {
          done(chunk.toString());
        });
      });
      const { url, home } = JSON.parse(line) as { readonly url: string; readonly home: string };
      expect([await answers(url), existsSync(home)]).toEqual([true, true]);
      holder.kill('SIGKILL');
      await until(() => !existsSync(home));
      await until(async () => !(await answers(url)));
    },
    startLimitMs,
  );

  it('says why it cannot start', async () => {
    const refused = startEngine(opensearch, { heapMegabytes: 0.5 });
    await expect(refused).rejects.toThrow(/opensearch 2\.19\.1 ended \(exit code 1\)[^]*heap/i);
  });
});
