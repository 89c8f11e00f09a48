/**
 * All that CI runs: build, check and every jest project, one after the other, each with its seconds.
 * A part that fails does not keep the later ones from running. The last line sums it up.
 */
import { spawnSync } from 'node:child_process';
import { mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { createRequire } from 'node:module';
import { tmpdir } from 'node:os';
import { dirname, join, resolve } from 'node:path';
import { performance } from 'node:perf_hooks';
import { fileURLToPath } from 'node:url';

const root = resolve(dirname(fileURLToPath(import.meta.url)), '..');
const require = createRequire(import.meta.url);
const config = join(root, 'test/jest.config.cjs');
const projects = require(config).projects.map(({ displayName }) => displayName);
const reports = mkdtempSync(join(tmpdir(), 'test-reports-'));

const print = (line) => process.stdout.write(`${line}\n`);

function run(name, command, args) {
  print(`\n=== ${name}`);
  const started = performance.now();
  const { status, signal, error } = spawnSync(command, args, { cwd: root, stdio: 'inherit' });
  const seconds = ((performance.now() - started) / 1000).toFixed(1);
  const how = error?.message ?? signal ?? `exit code ${String(status)}`;
  print(`=== ${name}: ${status === 0 ? 'ok' : `FAILED (${how})`}, ${seconds} s`);
  return { name, ok: status === 0, seconds };
}

/** A step without tests of its own counts as one. */
const step = (script) => {
  const result = run(script, 'npm', ['run', '--silent', script]);
  return { ...result, passed: result.ok ? 1 : 0, failed: result.ok ? 0 : 1 };
};

function jest(project) {
  const report = join(reports, `${project}.json`);
  const result = run(`test ${project}`, process.execPath, [
    require.resolve('jest/bin/jest'),
    ...['-c', config, '--selectProjects', project, '--json', `--outputFile=${report}`],
    ...['--passWithNoTests', '--silent=false'],
  ]);
  const counts = read(report);
  const failed = counts.failed === 0 && !result.ok ? 1 : counts.failed;
  return { ...result, passed: counts.passed, failed, skipped: counts.skipped };
}

function read(report) {
  try {
    const { numPassedTests, numFailedTests, numRuntimeErrorTestSuites, numPendingTests } =
      JSON.parse(readFileSync(report, 'utf8'));
    return {
      passed: numPassedTests,
      failed: numFailedTests + numRuntimeErrorTestSuites,
      skipped: numPendingTests,
    };
  } catch {
    return { passed: 0, failed: 0, skipped: 0 };
  }
}

const sum = (results, key) => results.reduce((total, result) => total + (result[key] ?? 0), 0);

const results = [];
try {
  for (const script of ['build', 'check']) results.push(step(script));
  for (const project of projects) results.push(jest(project));
} finally {
  rmSync(reports, { recursive: true, force: true });
}

print('\n=== summary');
for (const { name, passed, failed, seconds } of results) {
  print(`${name}: ${String(passed)} passed, ${String(failed)} failed, ${seconds} s`);
}
const skipped = sum(results, 'skipped');
if (skipped > 0) print(`${String(skipped)} skipped`);
const failed = sum(results, 'failed');
print(`${String(sum(results, 'passed'))} passed, ${String(failed)} failed`);
process.exitCode = failed === 0 && results.every(({ ok }) => ok) ? 0 : 1;
