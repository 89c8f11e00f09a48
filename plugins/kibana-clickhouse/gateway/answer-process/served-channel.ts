import type { PartialSettings } from '../../../../schema/settings';
import type { ServedIndexes } from '../index-expression';
import type { FromAnswerProcess, ServedMessage } from './messages';

/** The plugin server acknowledges within this time, in ms; after it nobody waits. */
const ACKNOWLEDGED_WITHIN_MS = 1_000;

/** What one configuration serves, and the stored settings behind it. */
export interface Told {
  readonly served: ServedIndexes;
  /** Absent until the store was read. */
  readonly overlay?: PartialSettings;
}

/**
 * Tells the plugin server which names each configuration serves, and waits for its word that it
 * decides by them. The channel keeps its order: the latest word includes all before it.
 */
export class ServedChannel {
  readonly #send: (message: FromAnswerProcess) => void;
  readonly #limitMs: number;
  #serial = 0;
  /** By runtime, the latest word that is not acknowledged yet. */
  readonly #open = new Map<
    string,
    { readonly serial: number; readonly taken: Promise<void>; readonly take: () => void }
  >();

  constructor(send: (message: FromAnswerProcess) => void, limitMs = ACKNOWLEDGED_WITHIN_MS) {
    this.#send = send;
    this.#limitMs = limitMs;
  }

  /** Sends the list; `acknowledged` tells when it is in force. */
  tell(runtime: string, { served, overlay }: Told): void {
    const serial = ++this.#serial;
    const before = this.#open.get(runtime);
    let resolve = (): void => undefined;
    const taken = new Promise<void>((done) => (resolve = done));
    const take = (): void => {
      before?.take();
      resolve();
    };
    const limit = setTimeout(() => {
      this.taken(runtime, serial);
    }, this.#limitMs);
    void taken.then(() => {
      clearTimeout(limit);
    });
    this.#open.set(runtime, { serial, taken, take });
    const message: ServedMessage = {
      kind: 'served',
      runtime,
      serial,
      names: [...served],
      ...(overlay && { overlay }),
    };
    this.#send(message);
  }

  /** The plugin server has acknowledged that word, and with it all before it. */
  taken(runtime: string, serial: number): void {
    const open = this.#open.get(runtime);
    if (!open || open.serial > serial) return;
    this.#open.delete(runtime);
    open.take();
  }

  /** Resolves when the plugin server decides by the latest word about a configuration, at the latest after 1 s. */
  acknowledged(runtime: string): Promise<void> {
    return this.#open.get(runtime)?.taken ?? Promise.resolve();
  }
}
