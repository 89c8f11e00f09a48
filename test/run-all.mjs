/**
 * All that CI runs: build, check and every jest project, each with its seconds. Two run at a time, because most of them wait
 * for servers half of their time; what builds the plugin anew runs alone. A part prints what it has to say when it ends, and
 * one that fails does not keep the others from running. The last line sums it up.
 */
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { closeSync, mkdtempSync, openSync, readFileSync, rmSync } from 'node:fs';
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

async function run(name, command, args) {
  const started = performance.now();
  const written = join(reports, `${name}.log`);
  const file = openSync(written, 'w');
  const child = spawn(command, args, { cwd: root, stdio: ['ignore', file, file] });
  const [how, ok] = await ended(child);
  closeSync(file);
  const seconds = ((performance.now() - started) / 1000).toFixed(1);
  print(`\n=== ${name}\n${readFileSync(written, 'utf8')}`);
  print(`=== ${name}: ${ok ? 'ok' : `FAILED (${how})`}, ${seconds} s`);
  return { name, ok, seconds };
}

/** How a process ended, in words, and whether all is well. */
async function ended(child) {
  try {
    const [status, signal] = await once(child, 'exit');
    return [signal ?? `exit code ${String(status)}`, status === 0];
  } catch (error) {
    return [error.message, false];
  }
}

/** A step without tests of its own counts as one. */
async function step(script) {
  const result = await run(script, 'npm', ['run', '--silent', script]);
  return { ...result, passed: result.ok ? 1 : 0, failed: result.ok ? 0 : 1 };
}

async function jest(project) {
  const report = join(reports, `${project}.json`);
  const result = await run(`test ${project}`, process.execPath, [
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

/** The longest first, so that none is left alone at the end. */
const longestFirst = [
  ...['corpus', 'gateway', 'oracle', 'metadata', 'clickhouse', 'judge', 'fuzz', 'plugin-server'],
  ...['unit', 'answer-process', 'local-gateway'],
];
const alone = ['dev', 'package'];
const others = projects.filter((name) => !longestFirst.includes(name) && !alone.includes(name));

const results = [];

/** Takes one part after the other until none is left. */
async function lane(queue) {
  for (let part = queue.shift(); part; part = queue.shift()) results.push(await part());
}

try {
  await lane([() => step('build')]);
  const queue = [
    () => step('check'),
    ...[...longestFirst, ...others].map((name) => () => jest(name)),
  ];
  await Promise.all([lane(queue), lane(queue)]);
  await lane(alone.map((name) => () => jest(name)));
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
