import { writeFileSync } from 'node:fs';
import { Agent } from 'node:http';
import { cpus } from 'node:os';
import { resolve } from 'node:path';
import { parseArgs } from 'node:util';
import type { ClickHouseClient } from '@clickhouse/client';
import type { PluginConfig } from '../../schema/plugin-config';
import { type EmbeddedClickHouse, startClickHouse } from '../clickhouse/embedded';
import { connect, query } from '../clickhouse/run-sql';
import { loadTables, measuredEnd, measuredTables } from '../cost-controls/tables';
import { startGateway } from '../gateway/gateway';
import { type AnswerProcess, startAnswerProcess } from './answer-process';
import { peakBytes } from '../measure/process-counters';
import { openWorkCounter } from './counters';
import type { Measured } from './goals';
import { untilAnswered } from '../start/ready';
import { type Bench, type Way, handWritten, measure } from './measure';
import { benchmarkPage, goalLines } from './report';
import { type BenchRequest, benchRequests } from './requests';
import { type Sent, send } from './send';

const root = resolve(__dirname, '../..');
const plugins = resolve(root, 'dist/plugins');

const help = `Usage: npm run bench -- [options]

Measures typical requests of Kibana against the best statements written by hand, on an access log of 30 days.

  --rows N        rows of each table (default: 10000000)
  --runs N        runs of each request by each way (default: 9)
  --only TEXT     only requests whose name contains this
  --data-dir DIR  where ClickHouse keeps the tables, for a second run (default: a temporary directory)
  --write         write docs/benchmarks.md
  --help          this text
`;

const options = {
  rows: { type: 'string', default: '10000000' },
  runs: { type: 'string', default: '9' },
  only: { type: 'string', default: '' },
  'data-dir': { type: 'string' },
  write: { type: 'boolean', default: false },
  help: { type: 'boolean', default: false },
} as const;

const note = (line: string): void => {
  process.stderr.write(`${line}\n`);
};

const tables = measuredTables.filter(({ sampled }) => !sampled);

async function main(): Promise<void> {
  const { values } = parseArgs({ options });
  if (values.help) {
    process.stdout.write(help);
    return;
  }
  const dataDirectory = values['data-dir'];
  const clickHouse = await startClickHouse(dataDirectory === undefined ? {} : { dataDirectory });
  const ends: (() => Promise<void>)[] = [() => clickHouse.close()];
  try {
    const rows = Number(values.rows);
    await loadTables(clickHouse.url, rows, note);
    const client = connect({ url: clickHouse.url });
    ends.push(() => client.close());
    const answers = await startAnswerProcess(plugins, configOf(clickHouse.url));
    ends.push(() => answers.close());
    const gateway = await openGateway(clickHouse.url);
    ends.push(gateway.close);
    const ways = [handWritten(client), wayOf('answer process', answers), gateway.way];
    const runs = Number(values.runs);
    const all = await measureAll({ clickHouse, client, ways, runs, only: values.only });
    const page = benchmarkPage(all, {
      rows,
      runs,
      command: `npm run bench -- --rows ${values.rows} --runs ${values.runs} --write`,
      clickHouse: await query(clickHouse.url, 'SELECT version()'),
      machine: `${String(cpus().length)} cores (${cpus()[0]?.model ?? 'unknown'})`,
      peakBytes: peakBytes(answers.pid),
    });
    if (values.write) writeFileSync(resolve(root, 'docs/benchmarks.md'), page);
    else process.stdout.write(page);
    process.stdout.write(`\n${goalLines(all).join('\n')}\n${verdict(all)}\n`);
  } finally {
    for (const end of ends.reverse()) await end();
  }
}

const verdict = (all: readonly Measured[]): string => {
  const lines = goalLines(all);
  const met = lines.filter((line) => line.startsWith('- met')).length;
  return `${String(met)} of ${String(lines.length)} goals met`;
};

const configOf = (url: string): PluginConfig => ({
  role: 'proxy',
  failure_mode: 'strict',
  log_level: 'error',
  authorization: 'none',
  settings: {
    proxy: {
      whiteIndexList: tables.map(({ name }) => name),
      ck: { url, user: 'default', pass: '' },
    },
  },
});

const pathOf = ({ endpoint = '_search' }: BenchRequest, table: string): string =>
  `/${table}/${endpoint}`;

const sentOf = (request: BenchRequest, table: string, now: number): Sent => ({
  path: pathOf(request, table),
  ...(request.body && { body: JSON.stringify(request.body(now)) }),
});

const wayOf = (name: Way['name'], answers: Pick<AnswerProcess, 'pid' | 'ask'>): Way => ({
  name,
  pid: () => answers.pid,
  ask: (request, table, now) => answers.ask(sentOf(request, table, now)),
});

/** The local gateway in front of the real plugin server; its upstream is not asked. */
async function openGateway(
  clickHouseUrl: string,
): Promise<{ readonly way: Way; readonly close: () => Promise<void> }> {
  const gateway = await startGateway({
    port: 0,
    pluginsDirectory: plugins,
    config: {
      _format_version: '3.0',
      services: [
        {
          name: 'elasticsearch',
          url: 'http://127.0.0.1:9',
          routes: [
            {
              name: 'all',
              paths: ['/'],
              plugins: [
                {
                  name: 'kibana-clickhouse',
                  config: JSON.parse(
                    JSON.stringify({ ...configOf(clickHouseUrl), failure_mode: 'drop-in' }),
                  ) as Record<string, never>,
                },
              ],
            },
          ],
        },
      ],
    },
  });
  const url = `${gateway.url}/${tables[0]?.name ?? ''}/_search`;
  await untilAnswered({ url, mustSucceed: true }, new AbortController().signal);
  const agent = new Agent({ keepAlive: true });
  const way: Way = {
    name: 'gateway',
    pid: () => gateway.pluginServerPid(),
    ask: (request, table, now) => send(gateway.port, agent, sentOf(request, table, now)),
  };
  const close = async (): Promise<void> => {
    agent.destroy();
    await gateway.close();
  };
  return { way, close };
}

interface Asked {
  readonly clickHouse: EmbeddedClickHouse;
  readonly client: ClickHouseClient;
  readonly ways: readonly Way[];
  readonly runs: number;
  readonly only: string;
}

async function measureAll({ clickHouse, client, ways, runs, only }: Asked): Promise<Measured[]> {
  let now = measuredEnd - 3_600_000;
  const bench: Bench = {
    ways,
    counter: await openWorkCounter(client),
    clickHousePid: clickHouse.pid,
    nextNow: () => (now -= 1_009),
  };
  const all: Measured[] = [];
  for (const { name, layout } of tables)
    for (const request of benchRequests) {
      if (!request.name.includes(only)) continue;
      const costs = await measure(request, name, runs, bench);
      all.push({ request, layout, costs });
      note(
        `${layout}, ${request.name}: ${costs.map(({ way, medianMs, readRows }) => `${way} ${medianMs.toFixed(1)} ms, ${String(readRows)} rows`).join('; ')}`,
      );
    }
  return all;
}

main().catch((error: unknown) => {
  note(error instanceof Error ? (error.stack ?? error.message) : String(error));
  process.exitCode = 1;
});
