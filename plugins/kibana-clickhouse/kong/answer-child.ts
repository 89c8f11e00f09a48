import { fork, type ChildProcess } from 'node:child_process';
import type { PluginConfig } from '../../../schema/plugin-config';
import { isFromAnswerProcess, type ToAnswerProcess } from '../gateway/answer-process/messages';
import type { Log } from './log';

/** Where the answer process listens on 127.0.0.1, and what proves to it that Kong sent the request. */
export interface Address {
  readonly port: number;
  readonly secret: string;
}

/** A child that does not listen after this time is killed, in ms. */
const START_LIMIT_MS = 30_000;
/**
 * The answer process forgets a configuration after an hour without requests: one that was not asked
 * for in this time is sent again, in ms.
 */
const SEND_AGAIN_AFTER_MS = 10 * 60_000;

interface Configuration {
  readonly acknowledged: Promise<void>;
  readonly acknowledge: () => void;
  isAcknowledged: boolean;
  usedAt: number;
}

/** One life of the answer process: from its fork to its end. */
export class AnswerChild {
  /** How it ended: exit code, signal, or why it could not be started. Never rejects. */
  readonly ended: Promise<string>;
  readonly #process: ChildProcess;
  readonly #configurations = new Map<string, Configuration>();
  readonly #ready: Promise<void>;
  #address: Address | undefined;
  #isStopped = false;

  constructor(main: string, log: Log) {
    this.#process = fork(main, [], {
      execArgv: [],
      stdio: ['ignore', 'inherit', 'inherit', 'ipc'],
    });
    this.ended = new Promise((resolve) => {
      this.#process.once('error', (error) => {
        resolve(error.message);
      });
      this.#process.once('exit', (code, signal) => {
        resolve(signal ?? `exit code ${String(code)}`);
      });
    });
    this.#ready = this.#listening(log);
    // Neither the child nor its channel keeps the plugin server alive; it ends when the channel does.
    this.#process.unref();
    this.#process.channel?.unref();
  }

  get isStopped(): boolean {
    return this.#isStopped;
  }

  /** Its address when it listens and has that configuration, known without waiting. */
  addressFor(runtime: string): Address | undefined {
    const configuration = this.#configurations.get(runtime);
    if (!configuration?.isAcknowledged) return undefined;
    const now = Date.now();
    if (now - configuration.usedAt > SEND_AGAIN_AFTER_MS) {
      this.#configurations.delete(runtime);
      return undefined;
    }
    configuration.usedAt = now;
    return this.#address;
  }

  /** Sends the configuration and waits for the acknowledgement; undefined when the child ends first. */
  async configure(runtime: string, config: PluginConfig): Promise<Address | undefined> {
    const acknowledged = this.#ready.then(async () => {
      await this.#sent(runtime, config).acknowledged;
      return this.#address;
    });
    return Promise.race([acknowledged, this.ended.then(() => undefined)]);
  }

  /** Kills it and waits for its end. */
  async stop(): Promise<void> {
    this.#isStopped = true;
    this.#process.kill('SIGKILL');
    await this.ended;
  }

  #sent(runtime: string, config: PluginConfig): Configuration {
    const known = this.#configurations.get(runtime);
    if (known) return known;
    let acknowledge = (): void => undefined;
    const acknowledged = new Promise<void>((resolve) => (acknowledge = resolve));
    const configuration = { acknowledged, acknowledge, isAcknowledged: false, usedAt: Date.now() };
    this.#configurations.set(runtime, configuration);
    const message: ToAnswerProcess = { kind: 'configure', runtime, config };
    // A failed send is no event of its own: the child is ending, and `ended` says so.
    this.#process.send(message, () => undefined);
    return configuration;
  }

  #listening(log: Log): Promise<void> {
    const limit = setTimeout(() => {
      log('error', 'the answer process did not start in time', { limitMs: START_LIMIT_MS });
      this.#process.kill('SIGKILL');
    }, START_LIMIT_MS).unref();
    void this.ended.then(() => {
      clearTimeout(limit);
    });
    return new Promise((resolve) => {
      this.#process.on('message', (message) => {
        if (!isFromAnswerProcess(message)) return;
        if (message.kind === 'configured') this.#acknowledge(message.runtime);
        else {
          clearTimeout(limit);
          this.#address = { port: message.port, secret: message.secret };
          resolve();
        }
      });
      // Without a channel it can neither be configured nor learn that its parent is gone.
      this.#process.once('disconnect', () => this.#process.kill('SIGKILL'));
    });
  }

  #acknowledge(runtime: string): void {
    const configuration = this.#configurations.get(runtime);
    if (!configuration) return;
    configuration.isAcknowledged = true;
    configuration.acknowledge();
  }
}
