import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { readableText } from '../../../plugins/kibana-clickhouse/clickhouse/sql/compile';
import type { JsonValue } from '../../../plugins/kibana-clickhouse/common/json/json';
import { type Bench, openBench } from './support';

const document = readFileSync(
  join(__dirname, '../../../docs/adr/0005-aggregation-plan.md'),
  'utf8',
);

const blocks = (kind: string): readonly string[] =>
  [...document.matchAll(new RegExp(`\`\`\`${kind}\\n(.*?)\`\`\``, 'gs'))].map(
    ([, text = '']) => text,
  );

const examples = blocks('json request').map((request, i) => ({
  request: JSON.parse(request) as JsonValue,
  statement: (blocks('sql statement')[i] ?? '').trim(),
  rows: (blocks('json rows')[i] ?? '')
    .trim()
    .split('\n')
    .map((line) => JSON.parse(line) as JsonValue),
}));

const settings =
  'SETTINGS group_by_use_nulls = 1, prefer_column_name_to_alias = 1, output_format_json_quote_64bit_integers = 1';

let bench: Bench;
beforeAll(async () => {
  bench = await openBench();
  for (const setup of blocks('sql setup')) await bench.sql(setup);
}, 60_000);
afterAll(() => bench.close());

test('the decision shows three shapes', () => {
  expect(examples).toHaveLength(3);
});

describe.each(examples)('the statement for $request', ({ request, statement, rows }) => {
  test('gives the rows shown', async () => {
    const answer = await bench.sql(`${statement} ${settings} FORMAT JSONCompactEachRow`);
    const lines = answer.trim().split('\n').sort();
    expect(lines.map((line) => JSON.parse(line) as JsonValue)).toEqual(rows);
  });

  test('is what the plan says', async () => {
    const plan = bench.plan(await bench.table('access'), request);
    expect(plan.statements.map(readableText)).toEqual([statement]);
  });
});
