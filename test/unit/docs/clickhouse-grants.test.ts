import { mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join, resolve } from 'node:path';
import { writeServerConfig } from '../../../dev/clickhouse/users';

const page = readFileSync(resolve(__dirname, '../../../docs/clickhouse-user.md'), 'utf8');

/** Grants of the page's user, without the user. */
const documented = [...page.matchAll(/^GRANT (.+) TO kibana;$/gm)].map(([, grant = '']) => grant);

/** The same of the user of the embedded server. */
function embedded(): readonly string[] {
  const directory = mkdtempSync(join(tmpdir(), 'grants-'));
  try {
    writeServerConfig(directory, {
      users: [{ name: 'kibana', password: 'p', databases: ['logs'], roles: ['reads_support'] }],
    });
    const users = readFileSync(join(directory, 'users.xml'), 'utf8');
    return [...users.matchAll(/<query>GRANT ([^<]+)<\/query>/g)].map(([, grant = '']) =>
      grant.replaceAll('`', ''),
    );
  } finally {
    rmSync(directory, { recursive: true });
  }
}

test('the user of the documentation and the one of the tests have the same grants', () => {
  expect(documented.length).toBeGreaterThan(4);
  expect([...embedded()].sort()).toEqual([...documented].sort());
});
