/**
 * One ClickHouse HTTP server: `clickhouse local` out of chDB's library, told to listen. It runs in a
 * process of its own because one process holds one engine and the call never returns. Its parent
 * (embedded.ts) sends the settings as JSON in the only argument.
 */
const { rmSync } = require('node:fs');
const { DataType, load, open } = require('ffi-rs');

const { library, port, tcpPort, dataDirectory, configFile, temporary } = JSON.parse(
  process.argv[2],
);

const listen = [
  'SYSTEM START LISTEN HTTP',
  ...(tcpPort === undefined ? [] : ['SYSTEM START LISTEN TCP']),
  // the servers live as long as a query of the session runs
  `SELECT sum(sleepEachRow(1)) FROM system.numbers SETTINGS max_block_size = 1, log_comment = 'keep listening'`,
];
const argv = [
  'clickhouse',
  '--listen_host=127.0.0.1',
  `--http_port=${port}`,
  `--tcp_port=${tcpPort ?? 0}`,
  `--path=${dataDirectory}`,
  ...(configFile === undefined ? [] : [`--config-file=${configFile}`]),
  '--query',
  listen.join('; '),
];

// A signal to the whole process group is the parent's business: it stops the requests first, then us.
process.on('SIGINT', () => undefined);
process.on('SIGTERM', () => undefined);
process.on('SIGHUP', () => undefined);

process.on('disconnect', () => {
  try {
    for (const directory of temporary) rmSync(directory, { recursive: true, force: true });
  } finally {
    process.kill(process.pid, 'SIGKILL');
  }
});

open({ library: 'chdb', path: library });
load({
  library: 'chdb',
  funcName: 'chdb_query_cmdline',
  retType: DataType.External,
  paramsType: [DataType.I32, DataType.StringArray],
  paramsValue: [argv.length, argv],
  // keeps this thread free for the parent's messages
  runInNewThread: true,
}).then(
  () => process.exit(1),
  (error) => {
    process.stderr.write(`${String(error)}\n`);
    process.exit(1);
  },
);
