/**
 * Loaded into the plugin server before everything else: ends it, and removes the prefix directory,
 * when the gateway that started it is gone without a word (SIGKILL). Kong's nginx leaves that to the
 * process manager, which a command on a developer's machine does not have.
 */
const { rmSync } = require('node:fs');
const { setInterval } = require('node:timers');

const gateway = process.ppid;
const prefix = process.env.PWD;

setInterval(() => {
  if (process.ppid === gateway) return;
  try {
    rmSync(prefix, { recursive: true, force: true });
  } finally {
    process.kill(process.pid, 'SIGKILL');
  }
}, 500).unref();
