import { spawnSync } from 'node:child_process';
import { mkdtempSync, rmSync, statSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { inRepository, textOf } from './files';

const directory = mkdtempSync(join(tmpdir(), 'entrypoint-'));
afterAll(() => {
  rmSync(directory, { recursive: true, force: true });
});

/** Runs the entrypoint; the command in Kong's place prints what it is given. */
function start(
  configuration: string,
  key?: string,
): { readonly status: number | null; readonly out: string; readonly error: string } {
  const file = join(directory, 'kong.yml');
  writeFileSync(file, configuration);
  const { status, stdout, stderr } = spawnSync(
    'sh',
    [
      inRepository('docker/entrypoint.sh'),
      'sh',
      '-c',
      'echo "$KONG_DECLARATIVE_CONFIG ${KIBANA_CLICKHOUSE_ADMIN_KEY-gone}"; cat "$KONG_DECLARATIVE_CONFIG"',
    ],
    {
      env: {
        PATH: process.env['PATH'],
        TMPDIR: directory,
        KONG_DECLARATIVE_CONFIG: file,
        ...(key !== undefined && { KIBANA_CLICKHOUSE_ADMIN_KEY: key }),
      },
      encoding: 'utf8',
    },
  );
  return { status, out: stdout, error: stderr };
}

const shipped = textOf('kong.yml');
const longKey = 'k0123456789abcdef-K_';

it.each(['kong.yml', 'docker/kong.drop-in.yml'])('refuses %s as it is shipped', (file) => {
  const { status, out, error } = start(textOf(file));
  expect(status).toBe(1);
  expect(out).toBe('');
  expect(error).toContain('REPLACE-ME for the administrator');
});

it.each([
  ['REPLACE-ME', 'is the placeholder itself'],
  ['short', 'must have 16 characters at least'],
  ['0123456789abcdef/&', 'letters, digits, - and _ only'],
])('refuses the key %s', (key, reason) => {
  const { status, error } = start(shipped, key);
  expect(status).toBe(1);
  expect(error).toContain(reason);
});

it('puts the key into a copy that nobody else may read, and takes it out of the environment', () => {
  const { status, out } = start(shipped, longKey);
  expect(status).toBe(0);
  const [first = '', ...rest] = out.split('\n');
  const [file = '', left] = first.split(' ');
  expect(left).toBe('gone');
  expect(file).not.toBe(join(directory, 'kong.yml'));
  expect(statSync(file).mode & 0o077).toBe(0);
  expect(rest.join('\n')).toBe(shipped.replace('key: REPLACE-ME', `key: ${longKey}`));
});

it('leaves a file with a key of its own as it is', () => {
  const own = shipped.replace('REPLACE-ME', longKey);
  const { status, out } = start(own);
  expect(status).toBe(0);
  expect(out).toBe(`${join(directory, 'kong.yml')} gone\n${own}`);
});
