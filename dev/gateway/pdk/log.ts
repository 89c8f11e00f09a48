import type { LogLevel } from '../log';
import type { Packed } from '../plugin-server/rpc';
import type { PdkFunction, PdkTable } from './function';
import { luaString } from './lua-value';

const LEVELS: Readonly<Record<string, LogLevel>> = {
  'kong.log': 'notice',
  'kong.log.alert': 'error',
  'kong.log.crit': 'error',
  'kong.log.err': 'error',
  'kong.log.warn': 'warn',
  'kong.log.notice': 'notice',
  'kong.log.info': 'info',
  'kong.log.debug': 'debug',
};

const shown = (value: Packed): string => luaString(value) ?? JSON.stringify(value);

function logs(level: LogLevel): PdkFunction {
  return ({ exchange, log }, args) => {
    log.line(level, `[${exchange.plugin?.name ?? 'kong'}] ${args.map(shown).join('')}`);
    return null;
  };
}

/** `kong.log`: lines in the gateway's log. */
export const logFunctions: PdkTable = Object.fromEntries(
  Object.entries(LEVELS).map(([name, level]) => [name, logs(level)]),
);
