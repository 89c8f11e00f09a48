import { readable } from '../measure/readable';
import { parseArgs } from 'node:util';
import { startClickHouse } from '../clickhouse/embedded';
import { markdownTable } from '../docs/markdown';
import { type Cost, openMeasurement } from './measure';
import { type MeasuredSearch, measuredSearches } from './searches';
import { loadTables, type MeasuredTable, measuredTables } from './tables';

const help = `Usage: node --import tsx dev/cost-controls/main.ts [options]

Measures what the cost controls save: the same searches with and without each of them, on an access log of 30 days whose
sorting key begins with the time, and on one whose key begins with the host. Prints a Markdown table.

  --rows N             rows of each table (default: 10000000)
  --runs N             runs of each search, of which the median is shown (default: 5)
  --only TEXT          only searches whose control or name contains this
  --clickhouse URL     http://host:port, user default without password (default: an embedded one)
  --pid N              its process, where it runs on this machine, for its processor time
  --data-dir DIR       where the embedded one keeps its tables (default: a temporary directory)
  --sql                print the statements, too
  --help               this text
`;

const options = {
  rows: { type: 'string', default: '10000000' },
  runs: { type: 'string', default: '5' },
  only: { type: 'string', default: '' },
  clickhouse: { type: 'string' },
  pid: { type: 'string' },
  'data-dir': { type: 'string' },
  sql: { type: 'boolean', default: false },
  help: { type: 'boolean', default: false },
} as const;

interface Asked {
  readonly url: string;
  readonly pid?: number;
  readonly rows: number;
  readonly runs: number;
  readonly only: string;
  readonly showsSql: boolean;
}

async function main(): Promise<void> {
  const { values } = parseArgs({ options });
  if (values.help) {
    process.stdout.write(help);
    return;
  }
  const asked = {
    rows: Number(values.rows),
    runs: Number(values.runs),
    only: values.only,
    showsSql: values.sql,
  };
  if (values.clickhouse !== undefined) {
    const { pid } = values;
    await measureAll({
      ...{ ...asked, url: values.clickhouse },
      ...(pid !== undefined && { pid: Number(pid) }),
    });
    return;
  }
  const dataDirectory = values['data-dir'];
  const server = await startClickHouse(dataDirectory === undefined ? {} : { dataDirectory });
  try {
    await measureAll({ ...asked, url: server.url, pid: server.pid });
  } finally {
    await server.close();
  }
}

async function measureAll({ url, pid, rows, runs, only, showsSql }: Asked): Promise<void> {
  const note = (line: string): void => {
    process.stderr.write(`${line}\n`);
  };
  await loadTables(url, rows, note);
  const measurement = openMeasurement({ url, pid }, showsSql ? note : () => undefined);
  const lines: (readonly string[])[] = [];
  try {
    for (const [search, table] of measured(only)) {
      const { name, layout } = table;
      const without = await measurement.measure(search, search.without, name, runs);
      const withIt = await measurement.measure(search, search.with, name, runs);
      const line = [search.control, search.name, layout, ...cells(without), ...cells(withIt)];
      lines.push(line);
      note(line.join(' | '));
    }
  } finally {
    await measurement.close();
  }
  const head = ['control', 'search', 'key', ...costHead('without'), ...costHead('with')];
  process.stdout.write(`${markdownTable(head, lines)}\n`);
}

/** Each search with the tables that it is asked of. */
const measured = (only: string): readonly (readonly [MeasuredSearch, MeasuredTable])[] =>
  measuredSearches
    .filter(({ control, name }) => `${control} ${name}`.includes(only))
    .flatMap((search) =>
      measuredTables
        .filter(({ sampled }) => sampled === search.sampled)
        .map((table) => [search, table] as const),
    );

const costHead = (control: string): readonly string[] => [`rows ${control}`, 'CPU ms', 'ms'];

const cells = ({ readRows, cpuMs, ms }: Cost): readonly string[] => [
  readable(readRows),
  cpuMs.toFixed(0),
  ms.toFixed(0),
];

main().catch((error: unknown) => {
  process.stderr.write(
    `${error instanceof Error ? (error.stack ?? error.message) : String(error)}\n`,
  );
  process.exitCode = 1;
});
