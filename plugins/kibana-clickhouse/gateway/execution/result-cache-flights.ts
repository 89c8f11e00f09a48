import { RequestAborted } from '../../clickhouse/execution/errors';

interface Flight<T> {
  readonly result: Promise<T>;
  readonly stop: AbortController;
  waiting: number;
}

/**
 * Work that several callers ask for at the same time, done once. A caller who goes away leaves the others their result; the
 * work is stopped when nobody waits for it any more.
 */
export class Flights<T> {
  readonly #flights = new Map<string, Flight<T>>();

  /** Whether the work under that key is being done, so that one more caller costs nothing. */
  has(key: string): boolean {
    return this.#flights.has(key);
  }

  /** The result of `start`, or of the same work begun by another; fails with `RequestAborted` once `signal` is. */
  join(key: string, signal: AbortSignal, start: (signal: AbortSignal) => Promise<T>): Promise<T> {
    if (signal.aborted) return Promise.reject(new RequestAborted(signal.reason));
    const flight = this.#flights.get(key) ?? this.#begin(key, start);
    flight.waiting++;
    return new Promise<T>((resolve, reject) => {
      const leave = (): void => {
        this.#leave(key, flight);
        reject(new RequestAborted(signal.reason));
      };
      signal.addEventListener('abort', leave, { once: true });
      flight.result.then(resolve, reject).finally(() => {
        signal.removeEventListener('abort', leave);
      });
    });
  }

  /** Who asks from now on begins anew; who waits gets what was begun. */
  forget(): void {
    this.#flights.clear();
  }

  #begin(key: string, start: (signal: AbortSignal) => Promise<T>): Flight<T> {
    const stop = new AbortController();
    const flight: Flight<T> = { result: start(stop.signal), stop, waiting: 0 };
    this.#flights.set(key, flight);
    const end = (): void => {
      this.#end(key, flight);
    };
    flight.result.then(end, end);
    return flight;
  }

  #leave(key: string, flight: Flight<T>): void {
    flight.waiting--;
    if (flight.waiting > 0) return;
    this.#end(key, flight);
    flight.stop.abort();
  }

  #end(key: string, flight: Flight<T>): void {
    if (this.#flights.get(key) === flight) this.#flights.delete(key);
  }
}
