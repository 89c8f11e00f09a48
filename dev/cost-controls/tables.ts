import { query, runSql } from '../clickhouse/run-sql';

/** How a measured table keeps its rows: what its sorting key begins with, and whether it can be sampled. */
export interface MeasuredTable {
  readonly name: string;
  readonly layout: 'time first' | 'host first';
  readonly sampled: boolean;
  readonly sortingKey: string;
}

const hash = 'cityHash64(id)';

/** The same rows four times: by both layouts, each without and with a hash to sample by. */
export const measuredTables: readonly MeasuredTable[] = [
  { name: 'time_first', layout: 'time first', sampled: false, sortingKey: 'ts, host' },
  { name: 'host_first', layout: 'host first', sampled: false, sortingKey: 'host, ts' },
  {
    name: 'time_first_sampled',
    layout: 'time first',
    sampled: true,
    sortingKey: `toStartOfDay(ts), ${hash}`,
  },
  {
    name: 'host_first_sampled',
    layout: 'host first',
    sampled: true,
    sortingKey: `host, toStartOfDay(ts), ${hash}`,
  },
];

/** The rows lie in the 30 days before this (epoch ms). */
export const measuredEnd = Date.UTC(2026, 10, 1);
export const measuredLength = 30 * 86_400_000;

const columns = `ts DateTime64(3, 'UTC') CODEC(Delta, ZSTD), id UInt64, host LowCardinality(String), path String,
  status UInt16, bytes UInt64, latency_ms Float32, client_ip IPv4, agent LowCardinality(String), message String`;

/** An access log, evenly over the time, its values from the number of each row. */
const values = (rows: number): string => `SELECT
  fromUnixTimestamp64Milli(toInt64(${String(measuredEnd - measuredLength)} + number * ${String(measuredLength / rows)}), 'UTC'), number,
  concat('web-', leftPad(toString(cityHash64(number, 1) % 200), 3, '0')), concat('/p/', toString(toUInt32(sqrt(cityHash64(number, 2) % 2500000000)))),
  multiIf(cityHash64(number, 3) % 200 = 0, 503, cityHash64(number, 3) % 10 = 1, 404, 200), cityHash64(number, 4) % 100000,
  cityHash64(number, 5) % 100000 / 100, toIPv4(toUInt32(cityHash64(number, 6) % 4000000000)), concat('agent ', toString(cityHash64(number, 7) % 20)),
  concat('GET request ', hex(cityHash64(number, 8)), ' took a while and was answered')
  FROM numbers(${String(rows)})`;

/** Makes the tables that are not there yet, with that many rows. Needs a user who may create tables. */
export async function loadTables(
  url: string,
  rows: number,
  note: (line: string) => void,
): Promise<void> {
  for (const { name, sampled, sortingKey } of measuredTables) {
    if ((await query(url, `EXISTS TABLE ${name}`)) === '1') continue;
    note(`${name}: ${String(rows)} rows`);
    await runSql(
      url,
      `CREATE TABLE ${name}_loading (${columns}) ENGINE = MergeTree PARTITION BY toDate(ts) ORDER BY (${sortingKey})${sampled ? ` SAMPLE BY ${hash}` : ''};
       INSERT INTO ${name}_loading ${values(rows)};
       OPTIMIZE TABLE ${name}_loading FINAL;
       RENAME TABLE ${name}_loading TO ${name};`,
    );
  }
}
