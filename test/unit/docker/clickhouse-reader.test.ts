import { textOf } from './files';

/** Statements without their layout. */
const statements = (sql: string): readonly string[] =>
  sql
    .split(';')
    .map((statement) => statement.replaceAll(/\s+/g, ' ').replaceAll(' IF NOT EXISTS', '').trim())
    .filter((statement) => statement !== '');

const documented = /```sql\n(CREATE SETTINGS PROFILE[^`]*)```/.exec(
  textOf('docs/clickhouse-user.md'),
)?.[1];
const inImage = /<<SQL\n([\s\S]*?)\nSQL\n/.exec(textOf('docker/clickhouse/10-reader.sh'))?.[1];

it('makes the user that the documentation describes', () => {
  const expected = statements(documented ?? '').map((statement) =>
    statement
      .replace("IDENTIFIED BY '…'", "IDENTIFIED WITH sha256_hash BY '$hash'")
      .replace('ON logs.*', 'ON default.*'),
  );
  expect(expected.length).toBeGreaterThan(5);
  expect(statements(inImage ?? '')).toEqual(expected);
});
