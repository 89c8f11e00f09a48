import { type ChildProcess, spawn } from 'node:child_process';
import { createInterface } from 'node:readline';
import type { Log } from '../log';
import type { ServerCommand } from './command';

const RESPAWN_INTERVAL_MS = 1000;
const STOP_LIMIT_MS = 3000;

/**
 * The spawned plugin server. As in Kong (`plugin_servers/process.lua`) it is started again whenever it
 * ends, at most once a second, and what it prints goes to the gateway's log.
 */
export class PluginServerProcess {
  readonly #command: ServerCommand;
  readonly #log: Log;
  #child: ChildProcess | undefined;
  #nextSpawn = 0;
  #timer: NodeJS.Timeout | undefined;
  #stopped = false;

  constructor(command: ServerCommand, log: Log) {
    this.#command = command;
    this.#log = log;
    this.#spawn();
  }

  /** The process id of the running plugin server; undefined between two lives. */
  get pid(): number | undefined {
    return this.#child?.pid;
  }

  /** Sends a signal to the running plugin server and resolves when it has ended. */
  async kill(signal: NodeJS.Signals): Promise<void> {
    const child = this.#child;
    if (child === undefined) return;
    const ended = new Promise((resolve) => child.once('exit', resolve));
    child.kill(signal);
    await ended;
  }

  /** Ends the plugin server for good: SIGTERM, after 3 s SIGKILL. */
  async stop(): Promise<void> {
    this.#stopped = true;
    clearTimeout(this.#timer);
    const child = this.#child;
    if (child === undefined) return;
    const hard = setTimeout(() => child.kill('SIGKILL'), STOP_LIMIT_MS);
    await this.kill('SIGTERM');
    clearTimeout(hard);
  }

  #spawn(): void {
    this.#nextSpawn = Date.now() + RESPAWN_INTERVAL_MS;
    const { file, args, env, cwd } = this.#command;
    const child = spawn(file, args, { env: { ...env }, cwd, stdio: ['ignore', 'pipe', 'pipe'] });
    this.#child = child;
    for (const stream of [child.stdout, child.stderr]) {
      createInterface({ input: stream }).on('line', (line) => {
        this.#log.fromPluginServer(line);
      });
    }
    child.once('error', (error) => {
      this.#log.line('error', `the plugin server cannot be started: ${error.message}`);
      this.#ended(child);
    });
    child.once('exit', (code, signal) => {
      if (!this.#stopped) {
        this.#log.line(
          'error',
          `the plugin server ended (${signal ?? `exit code ${String(code)}`})`,
        );
      }
      this.#ended(child);
    });
  }

  #ended(child: ChildProcess): void {
    if (this.#child !== child) return;
    this.#child = undefined;
    if (this.#stopped) return;
    const wait = Math.max(0, this.#nextSpawn - Date.now());
    this.#timer = setTimeout(() => {
      this.#spawn();
    }, wait);
  }
}
