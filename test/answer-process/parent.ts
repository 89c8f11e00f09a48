import { fork } from 'node:child_process';
import { join } from 'node:path';

/* A parent that forks the answer process, says which process it is, and then does nothing. */
const child = fork(
  join(__dirname, '../../plugins/kibana-clickhouse/gateway/answer-process/main.ts'),
  [],
  { execArgv: ['--import', 'tsx'], stdio: ['ignore', 'ignore', 'ignore', 'ipc'] },
);
child.once('message', () => process.send?.({ pid: child.pid }));
