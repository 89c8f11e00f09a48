import { spawnSync } from 'node:child_process';
import { mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join, resolve } from 'node:path';

const root = resolve(__dirname, '../..');

/** Names of the scenarios that ran, by how they ended. */
export interface ScenarioResults {
  readonly passed: ReadonlySet<string>;
  readonly failed: ReadonlySet<string>;
}

interface JestReport {
  readonly testResults: readonly {
    readonly message: string;
    readonly assertionResults: readonly { readonly title: string; readonly status: string }[];
  }[];
}

/**
 * Runs the scenarios whose names a pattern takes against a compiled product and a judge. Throws with jest's
 * words when there are none at all.
 */
export function runScenarios(product: string, judgeUrl: string, pattern: string): ScenarioResults {
  const directory = mkdtempSync(join(tmpdir(), 'mutant-report-'));
  const report = join(directory, 'report.json');
  const jest = join(root, 'node_modules/jest/bin/jest.js');
  const config = join(root, 'test/mutants/jest.config.cjs');
  try {
    const { stderr } = spawnSync(
      process.execPath,
      [jest, '-c', config, '--json', `--outputFile=${report}`, '--silent'],
      {
        cwd: root,
        encoding: 'utf8',
        maxBuffer: 1_000_000_000,
        env: {
          ...process.env,
          BUILT_PLUGIN: product,
          ELASTICSEARCH_URL: judgeUrl,
          SCENARIOS: pattern,
        },
      },
    );
    const { testResults } = JSON.parse(readFileSync(report, 'utf8')) as JestReport;
    const results = testResults.flatMap(({ assertionResults }) => assertionResults);
    const ended = (status: string): ReadonlySet<string> =>
      new Set(results.filter((one) => one.status === status).map(({ title }) => title));
    const found = { passed: ended('passed'), failed: ended('failed') };
    if (results.length === 0) throw new Error(`no scenario was read: ${stderr.slice(-2000)}`);
    return found;
  } finally {
    rmSync(directory, { recursive: true, force: true });
  }
}
