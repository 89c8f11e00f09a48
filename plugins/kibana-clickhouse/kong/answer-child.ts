import { fork, type ChildProcess } from 'node:child_process';
import {
  isFromAnswerProcess,
  type FromAnswerProcess,
  type ServedMessage,
  type ToAnswerProcess,
} from '../gateway/answer-process/messages';
import type { Log } from './log';
import type { RuntimeConfiguration } from './runtime-configuration';

/** Where the answer process listens on 127.0.0.1, and what proves to it that Kong sent the request. */
export interface Address {
  readonly port: number;
  readonly secret: string;
}

interface ChildOptions {
  /** Absolute path of the module to run. */
  readonly main: string;
  readonly log: Log;
  /** Takes what is told about served names; it counts as taken when this returns. */
  readonly onServed: (message: ServedMessage) => void;
}

/** A child that does not listen after this time is killed, in ms. */
const START_LIMIT_MS = 30_000;

/** A configuration that was sent. */
interface Sent {
  /** False: the child ended, or it was released before. */
  readonly acknowledged: Promise<boolean>;
  readonly settle: (isAcknowledged: boolean) => void;
  isAcknowledged: boolean;
}

/** One life of the answer process: from its fork to its end. */
export class AnswerChild {
  /** How it ended: exit code, signal, or why it could not be started. Never rejects. */
  readonly ended: Promise<string>;
  readonly #options: ChildOptions;
  readonly #process: ChildProcess;
  readonly #sent = new Map<string, Sent>();
  /** False: it ended before it listened. */
  readonly #ready: Promise<boolean>;
  #address: Address | undefined;
  #isStopped = false;

  constructor(options: ChildOptions) {
    this.#options = options;
    this.#process = fork(options.main, [], {
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
    this.#ready = this.#listening();
    void this.ended.then(() => {
      for (const { settle } of this.#sent.values()) settle(false);
    });
    // Neither the child nor its channel keeps the plugin server alive; it ends when the channel does.
    this.#process.unref();
    this.#process.channel?.unref();
  }

  get isStopped(): boolean {
    return this.#isStopped;
  }

  /** Its address when it listens and has that configuration, known without waiting. */
  addressFor({ runtime }: RuntimeConfiguration): Address | undefined {
    return this.#sent.get(runtime)?.isAcknowledged === true ? this.#address : undefined;
  }

  /** Sends the configuration and waits for the acknowledgement; undefined when the child ends first. */
  async configure(configuration: RuntimeConfiguration): Promise<Address | undefined> {
    if (!(await this.#ready)) return undefined;
    const isAcknowledged = await this.#sendOnce(configuration).acknowledged;
    return isAcknowledged ? this.#address : undefined;
  }

  /** Nobody has this configuration any more; the child closes what belongs to it. */
  release({ runtime }: RuntimeConfiguration): void {
    const sent = this.#sent.get(runtime);
    if (!sent) return;
    this.#sent.delete(runtime);
    sent.settle(false);
    this.#send({ kind: 'release', runtime });
  }

  /** Kills it and waits for its end. */
  async stop(): Promise<void> {
    this.#isStopped = true;
    this.#process.kill('SIGKILL');
    await this.ended;
  }

  #sendOnce({ runtime, config, lastKnown }: RuntimeConfiguration): Sent {
    const known = this.#sent.get(runtime);
    if (known) return known;
    let settle: Sent['settle'] = () => undefined;
    const acknowledged = new Promise<boolean>((resolve) => (settle = resolve));
    const sent = { acknowledged, settle, isAcknowledged: false };
    this.#sent.set(runtime, sent);
    this.#send({ kind: 'configure', runtime, config, ...(lastKnown && { lastKnown }) });
    return sent;
  }

  #send(message: ToAnswerProcess): void {
    // A failed send is no event of its own: the child is ending, and `ended` says so.
    this.#process.send(message, () => undefined);
  }

  #listening(): Promise<boolean> {
    const limit = setTimeout(() => {
      const { log } = this.#options;
      log('error', 'the answer process did not start in time', { limitMs: START_LIMIT_MS });
      this.#process.kill('SIGKILL');
    }, START_LIMIT_MS).unref();
    return new Promise((resolve) => {
      void this.ended.then(() => {
        clearTimeout(limit);
        resolve(false);
      });
      this.#process.on('message', (message) => {
        if (!isFromAnswerProcess(message)) return;
        if (message.kind !== 'ready') this.#take(message);
        else {
          clearTimeout(limit);
          this.#address = { port: message.port, secret: message.secret };
          resolve(true);
        }
      });
      // Without a channel it can neither be configured nor learn that its parent is gone.
      this.#process.once('disconnect', () => this.#process.kill('SIGKILL'));
    });
  }

  #take(message: Exclude<FromAnswerProcess, { kind: 'ready' }>): void {
    const { kind, runtime } = message;
    if (kind === 'served') {
      this.#options.onServed(message);
      this.#send({ kind: 'taken', runtime, serial: message.serial });
      return;
    }
    const sent = this.#sent.get(runtime);
    if (!sent) return;
    sent.isAcknowledged = true;
    sent.settle(true);
  }
}
