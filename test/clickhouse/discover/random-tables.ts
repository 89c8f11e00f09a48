import fc from 'fast-check';

/** How a table keeps its time, in the column `@timestamp` or `event_time`. */
export interface TimeColumn {
  readonly name: string;
  readonly type: string;
  /** A value of an expression `ms`: epoch ms, Int64. */
  readonly value: string;
}

const column = (type: string, value: string, name = '@timestamp'): TimeColumn => ({
  name,
  type,
  value,
});

const seconds = 'intDiv(ms, 1000)';
const odd = 'cityHash64(ms, id)';

export const timeColumns: readonly TimeColumn[] = [
  column("DateTime64(3, 'UTC')", "fromUnixTimestamp64Milli(ms, 'UTC')"),
  column("DateTime64(3, 'UTC')", "fromUnixTimestamp64Milli(ms, 'UTC')", 'minute'),
  column('DateTime64(3)', 'fromUnixTimestamp64Milli(ms)'),
  column("DateTime64(0, 'UTC')", `toDateTime64(${seconds}, 0, 'UTC')`),
  column(
    "DateTime64(6, 'Europe/Berlin')",
    `fromUnixTimestamp64Micro(ms * 1000 + ${odd} % 1000, 'Europe/Berlin')`,
  ),
  column("DateTime64(9, 'UTC')", `fromUnixTimestamp64Nano(ms * 1000000 + ${odd} % 1000000, 'UTC')`),
  column("DateTime('UTC')", `toDateTime(${seconds}, 'UTC')`),
  column("DateTime('Asia/Kathmandu')", `toDateTime(${seconds}, 'Asia/Kathmandu')`),
  column('Date', "toDate(toDateTime(intDiv(ms, 1000), 'UTC'), 'UTC')"),
  column('Date32', "toDate32(fromUnixTimestamp64Milli(ms, 'UTC'))"),
  column('UInt32', seconds, 'event_time'),
  column('UInt64', 'ms', 'event_time'),
  column('Int64', `ms * 1000 + ${odd} % 1000`, 'event_time'),
  column('Int64', `ms * 1000000 + ${odd} % 1000000`, 'event_time'),
  column(
    "Nullable(DateTime64(3, 'UTC'))",
    "if(id % 7 = 0, NULL, fromUnixTimestamp64Milli(ms, 'UTC'))",
  ),
  column('Nullable(Int64)', 'if(id % 7 = 0, NULL, ms)', 'event_time'),
];

/** How a table keeps its rows; `TIME` stands for the time column. */
export interface Layout {
  readonly definition: string;
  /** Whether its rows have one order, so that it is the same in which hits that tie come. */
  readonly ordered: boolean;
  /** What is searched in its place. */
  readonly over?: 'view' | 'distributed';
}

const layout = (definition: string, ordered: boolean, over?: Layout['over']): Layout => ({
  definition,
  ordered,
  ...(over && { over }),
});

export const layouts: readonly Layout[] = [
  layout('MergeTree ORDER BY (TIME, id)', true),
  layout('MergeTree ORDER BY (host, TIME, id)', true),
  layout('MergeTree PARTITION BY host ORDER BY (status, TIME, id)', true),
  layout('MergeTree PARTITION BY toHour(toDateTime(id * 1000)) ORDER BY (id, TIME)', true),
  layout('MergeTree ORDER BY (host, cityHash64(id), TIME) SAMPLE BY cityHash64(id)', false),
  layout('ReplacingMergeTree ORDER BY (host, TIME, id)', true),
  layout('Memory', false),
  layout('MergeTree ORDER BY (host, TIME, id)', false, 'view'),
  layout('MergeTree ORDER BY (host, TIME, id)', false, 'distributed'),
  layout('MergeTree ORDER BY (TIME, id)', false, 'distributed'),
];

/** A table full of rows. */
export interface RandomTable {
  readonly time: TimeColumn;
  readonly layout: Layout;
  readonly rows: number;
  /** Epoch ms of the first row, about. */
  readonly start: number;
  /** ms from the first to the last row, about. */
  readonly length: number;
  /** Rows lie in groups at multiples of this many ms; 0: anywhere. */
  readonly grid: number;
  /** Whether most rows lie near the first and the last. */
  readonly gathered: boolean;
}

const minute = 60_000;
const hour = 60 * minute;
const day = 24 * hour;

/** The night in which clocks in Berlin go back, an ordinary one, and the years around 1970. */
const starts = [Date.parse('2026-10-24T20:00:00Z'), Date.parse('2024-02-28T23:59:30Z')];

export const randomTable: fc.Arbitrary<RandomTable> = fc.record({
  time: fc.constantFrom(...timeColumns),
  layout: fc.constantFrom(...layouts),
  rows: fc.oneof(
    { weight: 1, arbitrary: fc.integer({ min: 0, max: 30 }) },
    { weight: 3, arbitrary: fc.integer({ min: 30, max: 400 }) },
  ),
  start: fc.constantFrom(...starts),
  length: fc.constantFrom(3 * minute, hour, 6 * hour, 2 * day, 40 * day),
  grid: fc.constantFrom(0, 0, 1000, minute, 5 * minute, hour),
  gathered: fc.boolean(),
});

const quoted = (name: string): string => `\`${name}\``;

/** The statements that make and fill a table; several parts, so that they are read side by side. */
export function tableScript(name: string, { time, layout: kept, ...rest }: RandomTable): string {
  const { rows, start, length, grid, gathered } = rest;
  const stored = kept.over === undefined ? name : `${name}_rows`;
  const columns = `${quoted(time.name)} ${time.type}, id UInt32, host LowCardinality(String), status UInt16, latency Nullable(Float64), message String`;
  const engine = kept.definition.replaceAll('TIME', quoted(time.name));
  const hash = `toInt64(cityHash64(number, ${String(rows)}) % ${String(length)})`;
  const near = `intDiv(${hash}, 50)`;
  const any = `${String(start)} + ${gathered ? `if(number % 2 = 0, ${near}, ${String(length)} - ${near})` : hash}`;
  // on the grid itself, and the last and first ms beside it
  const gridded = `x - x % ${String(grid)} + number % 3 - 1`;
  const fill = (part: number, of: number): string =>
    `INSERT INTO ${stored} SELECT ${time.value}, id, ['a', 'b', 'c'][cityHash64(id, 1) % 3 + 1], [200, 200, 200, 404, 503][cityHash64(id, 2) % 5 + 1], if(id % 5 = 0, NULL, cityHash64(id, 3) % 8), ['one', 'two words', 'three more words'][cityHash64(id, 4) % 3 + 1]
     FROM (SELECT number AS id, ${any} AS x, toInt64(${grid === 0 ? 'x' : gridded}) AS ms FROM numbers(${String(rows)}) WHERE number % ${String(of)} = ${String(part)});`;
  const parts = 3;
  const settings = engine.startsWith('Memory') ? '' : ' SETTINGS allow_nullable_key = 1';
  return [
    ...(kept.over === 'distributed'
      ? shards.map(
          (shard, i) =>
            `${tableIn(shard)} ${fill(i, shards.length).replace(`INTO ${stored}`, `INTO ${shard}.${stored}`)}`,
        )
      : [tableIn(undefined), ...Array.from({ length: parts }, (_, i) => fill(i, parts))]),
    kept.over === 'view'
      ? `CREATE VIEW ${name} AS SELECT * FROM ${stored} WHERE status != 999;`
      : '',
    kept.over === 'distributed'
      ? `${tableIn(undefined)} CREATE TABLE ${name} (${columns}) ENGINE = Distributed('pair', '', '${stored}', rand());`
      : '',
  ].join('\n');

  function tableIn(database: string | undefined): string {
    const place = database === undefined ? stored : `${database}.${stored}`;
    return `CREATE TABLE ${place} (${columns}) ENGINE = ${engine}${settings};`;
  }
}

/** Databases of the two shards of a Distributed table, both in the one server. */
export const shards: readonly string[] = ['shard_a', 'shard_b'];

/** The configuration of Distributed tables, by the server's own port of the native protocol. */
export const shardsXml = (port: number): string =>
  `<remote_servers><pair>${shards
    .map(
      (shard) =>
        `<shard><replica><default_database>${shard}</default_database><host>127.0.0.1</host><port>${String(port)}</port></replica></shard>`,
    )
    .join('')}</pair></remote_servers>`;

export const dropScript = (name: string, { layout: { over } }: RandomTable): string =>
  [
    `DROP TABLE ${name} SYNC;`,
    ...(over === undefined ? [] : [`DROP TABLE ${name}_rows SYNC;`]),
    ...(over === 'distributed'
      ? shards.map((shard) => `DROP TABLE ${shard}.${name}_rows SYNC;`)
      : []),
  ].join('\n');
