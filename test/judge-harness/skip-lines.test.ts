import { spawnSync } from 'node:child_process';
import { mkdtempSync, rmSync, symlinkSync } from 'node:fs';
import { createRequire } from 'node:module';
import { tmpdir } from 'node:os';
import { join, resolve } from 'node:path';
import { elasticsearch } from '../judge/engines';

const root = resolve(__dirname, '../..');
const jestProgram = require.resolve('jest/bin/jest');

interface JestConfig {
  readonly projects: readonly (Readonly<Record<string, unknown>> & {
    readonly displayName: string;
  })[];
}

const jestConfig = createRequire(__filename)('../jest.config.cjs') as JestConfig;

interface Run {
  readonly project: string;
  /** Files by a part of their path. */
  readonly files: string;
  readonly env: NodeJS.ProcessEnv;
  /** Whether the project's own set-up runs; the tests here need no product. */
  readonly withSetUp?: boolean;
}

interface Outcome {
  readonly code: number | null;
  /** What was printed on both streams. */
  readonly text: string;
  readonly skipLines: readonly string[];
}

/** Runs files of a jest project in a process of its own, with these variables and no others of the tests' own. */
function run({ project, files, env, withSetUp = false }: Run): Outcome {
  const whole = jestConfig.projects.find(({ displayName }) => displayName === project) ?? {};
  const config = withSetUp
    ? whole
    : Object.fromEntries(Object.entries(whole).filter(([name]) => !name.startsWith('global')));
  const inherited = { ...process.env };
  for (const name of ['CI', 'REQUEST_CORPUS', 'SAMPLE_DATA', 'JAVA_HOME', elasticsearch.variable])
    Reflect.deleteProperty(inherited, name);
  const { status, stdout, stderr } = spawnSync(
    process.execPath,
    [jestProgram, '--config', JSON.stringify(config), '--testPathPatterns', files],
    { cwd: root, encoding: 'utf8', env: { ...inherited, ...env } },
  );
  const text = stdout + stderr;
  return {
    code: status,
    text,
    skipLines: text.split('\n').filter((line) => line.startsWith('Skipped: ')),
  };
}

const anyJudge = { [elasticsearch.variable]: 'http://127.0.0.1:9' };

describe('without the folders that the environment names', () => {
  it('the replay of the corpus prints one line and passes', () => {
    const { code, skipLines } = run({ project: 'corpus', files: 'corpus', env: anyJudge });
    expect(skipLines).toEqual(['Skipped: replay of the corpus (REQUEST_CORPUS is not set)']);
    expect(code).toBe(0);
  }, 180_000);

  it('the real documents print one line and pass', () => {
    const { code, skipLines } = run({ project: 'oracle', files: 'samples', env: anyJudge });
    expect(skipLines).toEqual(['Skipped: real documents (SAMPLE_DATA names no folder)']);
    expect(code).toBe(0);
  }, 180_000);
});

describe('without Java and Maven', () => {
  let programs = '';

  beforeAll(() => {
    programs = mkdtempSync(join(tmpdir(), 'only-node-'));
    symlinkSync(process.execPath, join(programs, 'node'));
  });

  afterAll(() => {
    rmSync(programs, { recursive: true });
  });

  const compared = { project: 'judge', files: 'judge-harness/elasticsearch', withSetUp: true };
  const reason = 'Java is not installed';

  it('the comparisons print one line and pass', () => {
    const { code, skipLines } = run({ ...compared, env: { PATH: programs } });
    expect(skipLines).toEqual([`Skipped: comparison with a real Elasticsearch (${reason})`]);
    expect(code).toBe(0);
  }, 180_000);

  it('with CI=true they fail', () => {
    const { code, text } = run({ ...compared, env: { PATH: programs, CI: 'true' } });
    expect(text).toContain(`The comparison with a real Elasticsearch must run here, but ${reason}`);
    expect(code).toBe(1);
  }, 180_000);
});
