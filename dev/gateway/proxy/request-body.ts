import type { IncomingMessage } from 'node:http';
import type { Writable } from 'node:stream';

/**
 * A request's body that streams to the upstream and, where it is asked to keep what it has sent, can be
 * sent once more: nginx repeats a request from its buffer. Beyond the limit (bytes) it only streams.
 */
export class RequestBody {
  readonly #source: IncomingMessage;
  readonly #limit: number;
  #kept: Buffer[] = [];
  #size = 0;
  #ended = false;
  #listens = false;
  #target: Writable | undefined;

  constructor(source: IncomingMessage, limit: number) {
    this.#source = source;
    this.#limit = limit;
    this.#ended = source.readableEnded;
  }

  /** Whether all that was sent so far can be sent again. */
  get isRepeatable(): boolean {
    return this.#size <= this.#limit;
  }

  /** Whether the client has sent everything. */
  get isComplete(): boolean {
    return this.#ended;
  }

  /** Sends what is kept and then what arrives to the target, no faster than it takes it. */
  sendTo(target: Writable): void {
    this.#target = target;
    for (const chunk of this.#kept) target.write(chunk);
    if (this.#ended) {
      target.end();
      return;
    }
    if (!this.#listens) this.#listen();
    this.#source.resume();
  }

  /** Stops sending; the client waits. */
  detach(): void {
    this.#target = undefined;
    this.#source.pause();
  }

  #listen(): void {
    this.#listens = true;
    this.#source.on('data', (chunk: Buffer) => {
      this.#keep(chunk);
      const target = this.#target;
      if (target === undefined || target.write(chunk)) return;
      this.#source.pause();
      target.once('drain', () => {
        if (this.#target === target) this.#source.resume();
      });
    });
    this.#source.on('end', () => {
      this.#ended = true;
      this.#target?.end();
    });
  }

  #keep(chunk: Buffer): void {
    this.#size += chunk.length;
    if (this.isRepeatable) this.#kept.push(chunk);
    else this.#kept = [];
  }
}
