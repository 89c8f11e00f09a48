import { readFileSync } from 'node:fs';
import { resolve } from 'node:path';
import { changeableSettings } from '../../../dev/clickhouse/users';
import { sentSettings } from '../../../plugins/kibana-clickhouse/clickhouse/execution/settings';

const page = readFileSync(resolve(__dirname, '../../../docs/clickhouse-user.md'), 'utf8');
const documented = [...page.matchAll(/^ {4}(\w+)\b.*CHANGEABLE_IN_READONLY/gm)].map(
  ([, name]) => name,
);
// a parameter of the HTTP interface, no setting of ClickHouse
const settings = sentSettings.filter((name) => name !== 'wait_end_of_query');

it('documents the settings that are sent, no more and no fewer', () => {
  expect([...documented].sort()).toEqual([...settings].sort());
});

it('lets the embedded reading user change what is sent', () => {
  expect(changeableSettings).toEqual(expect.arrayContaining(settings));
});
