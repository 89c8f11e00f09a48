import type { Settings } from '../../../../schema/settings';
import type { Log } from '../../common/log';
import type { RuntimeCaller } from '../runtime';
import type { PartStatus } from './part-status';

/**
 * The `read_timeout` of the Services that searches come through. Kong gives a search up after it and repeats a GET, up to five
 * times: the limits of ClickHouse must be below it.
 */
export class ReadTimeouts {
  readonly #settings: () => Settings;
  readonly #log: Log;
  /** ms; the shortest of all Services. */
  #shortest = Infinity;

  constructor(settings: () => Settings, log: Log) {
    this.#settings = settings;
    this.#log = log;
  }

  /** A request came. What is wrong with its Service's time is logged when that is first seen. */
  see({ role, readTimeoutMs = Infinity }: RuntimeCaller): void {
    if (role !== 'proxy' || readTimeoutMs >= this.#shortest) return;
    this.#shortest = readTimeoutMs;
    for (const problem of this.#problems()) this.#log.warn(problem);
  }

  /** For `/health`. */
  check(): PartStatus {
    const name = 'time_limits';
    if (this.#shortest === Infinity) return { name, status: 'none', problems: [] };
    const problems = this.#problems();
    const detail = { read_timeout: this.#shortest };
    return { name, status: problems.length === 0 ? 'up' : 'degraded', problems, detail };
  }

  #problems(): readonly string[] {
    const { query, tables } = this.#settings();
    const limits: readonly (readonly [string, number | undefined])[] = [
      ['query.maxExecutionMs', query.maxExecutionMs],
      ...Object.entries(tables).map(
        ([table, own]) => [`tables.${table}.maxExecutionMs`, own.maxExecutionMs] as const,
      ),
    ];
    return limits.flatMap(([setting, ms]) =>
      ms === undefined || ms < this.#shortest
        ? []
        : [
            `${setting} is ${String(ms)} ms, which is not below the read_timeout of the Service, ${String(this.#shortest)} ms: Kong gives a slow search up and repeats it`,
          ],
    );
  }
}
