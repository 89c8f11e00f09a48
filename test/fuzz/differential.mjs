/**
 * `npm run fuzz:differential -- --cases N --seed S [--seconds S] [--differences N]
 * [--features first|clean|all|query.term,aggregation.terms]`: random searches, each answered by the product and by a real
 * Elasticsearch. Ends with 1 when answers differ; each difference is written as a scenario.
 */
import { spawnSync } from 'node:child_process';
import { createRequire } from 'node:module';
import { parseArgs } from 'node:util';

const text = { type: 'string' };
const { values } = parseArgs({
  options: { cases: text, seed: text, seconds: text, differences: text, features: text },
});
const given = { cases: '2000', seed: String(Math.floor(Math.random() * 1e9)), ...values };
const { features = 'all', ...numbers } = given;
const env = Object.entries(numbers).map(([name, value]) => {
  if (!/^\d+$/.test(value)) throw new Error(`--${name} wants a whole number, not ${value}`);
  return [`FUZZ_${name.toUpperCase()}`, value];
});
const jest = createRequire(import.meta.url).resolve('jest/bin/jest');
const { status } = spawnSync(
  process.execPath,
  [jest, '-c', 'test/jest.config.cjs', '--selectProjects', 'fuzz'],
  {
    stdio: 'inherit',
    env: { ...process.env, ...Object.fromEntries(env), FUZZ_FEATURES: features },
  },
);
process.exitCode = status ?? 1;
