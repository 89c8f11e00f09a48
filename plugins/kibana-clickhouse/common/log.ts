import { destination, pino, type Logger } from 'pino';

export type Log = Logger;
export type LogLevel = 'debug' | 'info' | 'warn' | 'error';

/**
 * JSON lines on stderr, from the given level upward (Kong takes a plugin server's stderr into its own
 * log; stdout belongs to the plugin dump). Lines are written in the background and flushed at exit.
 * A line must hold no header value, no body, no SQL parameter and no credential.
 */
export const createLog = (level: LogLevel): Log =>
  pino({ name: 'kibana-clickhouse', level }, destination({ fd: 2, sync: false }));

/** The same log with another lowest level: each configuration has its own. An unknown level is `info`. */
export const logAtLevel = (log: Log, level: LogLevel): Log =>
  log.child({}, { level: level in log.levels.values ? level : 'info' });
