import { createRequire } from 'node:module';
import { dirname, join } from 'node:path';

/** A command as Kong's `start_cmd` and `query_cmd` give it. */
export interface ServerCommand {
  readonly file: string;
  readonly args: readonly string[];
  readonly env: Readonly<Record<string, string>>;
  readonly cwd: string;
}

const SOCKET_NAME = 'js_pluginserver.sock';

const PROGRAM = join(
  dirname(createRequire(__filename).resolve('kong-pdk/package.json')),
  'bin',
  'kong-js-pluginserver',
);

/** Ends the plugin server when this process was killed. */
const LIFELINE = join(__dirname, 'lifeline.cjs');

/**
 * Kong's plugin server gets an empty environment save PWD (nginx drops the rest), so no PATH either;
 * TS_NODE_SKIP_PROJECT keeps its ts-node away from any tsconfig of the working directory.
 */
function command(
  prefix: string,
  args: readonly string[],
  nodeArgs: readonly string[] = [],
): ServerCommand {
  return {
    file: process.execPath,
    args: [...nodeArgs, PROGRAM, ...args],
    env: { PWD: prefix, TS_NODE_SKIP_PROJECT: 'true' },
    cwd: prefix,
  };
}

/** `query_cmd`: prints what the plugins of the directory are, as JSON, and ends. */
export const queryCommand = (prefix: string, pluginsDirectory: string): ServerCommand =>
  command(prefix, ['-d', pluginsDirectory, '--dump-all-plugins']);

/** `start_cmd`: serves the plugins of the directory on the socket of `socketPath(prefix)`. */
export const startCommand = (prefix: string, pluginsDirectory: string): ServerCommand =>
  command(
    prefix,
    ['-p', prefix, '--sock-name', SOCKET_NAME, '-d', pluginsDirectory],
    ['--require', LIFELINE],
  );

/** Where the plugin server started with the prefix listens. */
export const socketPath = (prefix: string): string => join(prefix, SOCKET_NAME);
