/** Kong's log levels that the local gateway writes. */
export type LogLevel = 'debug' | 'info' | 'notice' | 'warn' | 'error';

/** Takes one line of the gateway's log, level first: `[warn] …`. Lines of the plugin server come as they are. */
export type LogLine = (line: string) => void;

// kong-pdk's logger colours its lines and writes each one several times, a piece longer every time.
const TERMINAL_CODES = new RegExp(`${String.fromCharCode(27)}\\[[0-9;]*[A-Za-z]`, 'g');
const UNFINISHED = /^\d{4}-\d\d-\d\dT[\d:.]+Z( *\[[A-Z]+\])?$/;

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
    const plain = line.replace(TERMINAL_CODES, '').trimEnd();
    if (plain !== '' && !UNFINISHED.test(plain)) this.#write(`[plugin-server] ${plain}`);
  }
}
