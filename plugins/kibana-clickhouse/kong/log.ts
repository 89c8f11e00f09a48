import type { PluginConfig } from '../../../schema/plugin-config';

export type LogLevel = PluginConfig['log_level'];

/** Writes one log line. The details must hold no secret and nothing of a request's body. */
export type Log = (
  level: LogLevel,
  message: string,
  details?: Readonly<Record<string, string | number>>,
) => void;

const SEVERITY: Readonly<Record<LogLevel, number>> = { debug: 0, info: 1, warn: 2, error: 3 };

/**
 * JSON lines on stderr, from the given level upward. Never stdout: Kong reads the plugin dump there,
 * and one other character breaks it.
 */
export const stderrLog =
  (lowest: LogLevel): Log =>
  (level, message, details = {}) => {
    if (SEVERITY[level] < SEVERITY[lowest]) return;
    const line = { time: new Date().toISOString(), level, name: 'kibana-clickhouse', ...details };
    process.stderr.write(`${JSON.stringify({ ...line, message })}\n`);
  };
