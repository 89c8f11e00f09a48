import { withSettingsTable, writtenPage } from '../../../dev/docs/settings/write';
import { CONFIG_UPDATES } from '../../../plugins/kibana-clickhouse/gateway/endpoints/config-updates';

test('the settings in docs/operations.md are those of the schema: npm run docs:settings', () => {
  expect(writtenPage()).toBe(withSettingsTable(writtenPage()));
});

test.each(CONFIG_UPDATES)('docs/operations.md has an example of $path', ({ path, parameters }) => {
  const example = new RegExp(
    `${path}(?:\\?|' -G|' --get|' --url-query)[^]*?(?:\`\`\`|\\n\\n)`,
  ).exec(writtenPage());
  for (const { name } of parameters) expect(example?.[0]).toContain(`${name}=`);
});
