import { randomBytes } from 'node:crypto';
import { createLog, logAtLevel } from '../../common/log';
import { createMetrics } from '../../common/metrics';
import { createSettingsService } from '../../metadata/settings/create-settings-service';
import { createRuntime } from '../create-runtime';
import type { FromAnswerProcess, ToAnswerProcess } from './messages';
import { Runtimes } from './runtimes';
import { ServedChannel } from './served-channel';
import { createAnswerServer } from './server';

/*
 * The answer process: a child of the plugin server, which configures it over the channel and hands
 * requests over to it by way of Kong. It ends with its parent.
 */

const SECRET_BYTES = 32;
/** Connections that wait to be accepted: Kong opens them in bursts. */
const BACKLOG = 16_384;
const SWEEP_EVERY_MS = 60_000;

const log = createLog('info');

async function main(send: (message: FromAnswerProcess) => void): Promise<void> {
  const secret = randomBytes(SECRET_BYTES).toString('base64url');
  const metrics = createMetrics({ withProcess: true });
  const channel = new ServedChannel(send);
  const runtimes = new Runtimes({
    openSettings: (config, lastKnown) =>
      createSettingsService({ config, lastKnown, log: logAtLevel(log, config.log_level) }),
    create: (config, settings) => createRuntime(config, { settings, log, metrics }),
    channel,
  });
  process.on('message', (message: ToAnswerProcess) => {
    switch (message.kind) {
      case 'configure':
        runtimes.configure(message.runtime, message.config, message.lastKnown);
        send({ kind: 'configured', runtime: message.runtime });
        break;
      case 'release':
        runtimes.release(message.runtime);
        break;
      case 'taken':
        channel.taken(message.runtime, message.serial);
    }
  });
  setInterval(() => {
    runtimes.sweep().catch((error: unknown) => {
      log.error({ stack: stackOf(error) }, 'idle connections could not be closed');
    });
  }, SWEEP_EVERY_MS).unref();
  const server = createAnswerServer({ secret, runtimes, log, metrics });
  await server.listen({ host: '127.0.0.1', port: 0, backlog: BACKLOG });
  const address = server.server.address();
  if (address === null || typeof address === 'string') throw new Error('no TCP address');
  send({ kind: 'ready', port: address.port, secret });
}

/** The stack alone: other keys of an error may hold what a request carried. */
const stackOf = (error: unknown): string | undefined =>
  error instanceof Error ? error.stack : undefined;

/** An error that nobody took: the state is unknown, and the parent starts a new process. */
function crash(error: unknown): void {
  log.fatal({ stack: stackOf(error) }, 'the answer process ends');
  process.exit(1);
}

// A dead parent closes the channel; nothing may be left behind.
process.on('disconnect', () => process.exit(0));
process.on('uncaughtException', crash);
process.on('unhandledRejection', crash);

if (process.send) {
  const send = process.send.bind(process);
  main((message) => {
    // A failed send means that the parent is gone: `disconnect` follows.
    send(message, undefined, {}, () => undefined);
  }).catch(crash);
} else crash(new Error('the answer process is started by the plugin server, not by hand'));
