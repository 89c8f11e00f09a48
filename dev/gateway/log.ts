/** Kong's log levels that the local gateway writes. */
export type LogLevel = 'debug' | 'info' | 'notice' | 'warn' | 'error';

/** Takes one line of the gateway's log, level first: `[warn] …`. Lines of the plugin server come as they are. */
export type LogLine = (line: string) => void;

/** Writes log lines with their level. */
export class Log {
  readonly #write: LogLine;

  constructor(write: LogLine) {
    this.#write = write;
  }

  line(level: LogLevel, text: string): void {
    this.#write(`[${level}] ${text}`);
  }

  /** What the plugin server printed; Kong passes it on at level info. */
  fromPluginServer(line: string): void {
    this.#write(`[plugin-server] ${line}`);
  }
}
