import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';

/**
 * A plugin that does what the header `x-probe` of a request says: the PDK calls in turn, then `exit`
 * with their results, `large`: with 3 MB of text, `pass`, `throw`, or `silent`: never ending.
 */
const PROBE = `
let made = 0;
const closed = [];
const hosts = Object.values(require.cache).filter((one) => one.filename.endsWith('/kong-pdk/lib/mod.js'));
for (const { exports } of hosts) {
  const close = exports.Instance.prototype.close;
  exports.Instance.prototype.close = function () {
    closed.push(this.config.label);
    close.call(this);
  };
}
class Probe {
  constructor(config) {
    if (config.broken) throw new Error('this configuration is broken');
    this.config = config;
    this.number = ++made;
  }
  async access(kong) {
    const header = await kong.request.getHeader('x-probe');
    if (header === null) return;
    const { calls = [], then = 'exit' } = JSON.parse(header);
    const results = [];
    for (const [name, ...args] of calls) {
      let called = kong;
      for (const part of name.split('.')) called = called[part];
      results.push((await called(...args)) ?? null);
    }
    if (then === 'throw') throw new Error('thrown in access');
    if (then === 'large') return kong.response.exit(200, Buffer.alloc(3_000_000, 'äöü'));
    if (then === 'silent') await new Promise(() => {});
    if (then !== 'exit') return;
    const { number, config } = this;
    const body = { results, number, closed, config, environment: process.env, pid: process.pid };
    await kong.response.exit(200, Buffer.from(JSON.stringify(body)), { 'content-type': 'application/json' });
  }
}
module.exports = {
  Plugin: Probe,
  Name: 'probe',
  Version: '1.2.3',
  Priority: 765,
  Schema: [
    { label: { type: 'string', default: 'none' } },
    { broken: { type: 'boolean', default: false } },
  ],
};
`;

/** A directory with plugins for kong-js-pluginserver, by file name. */
export interface PluginDirectory {
  readonly path: string;
  remove(): void;
}

export function pluginDirectory(files: Readonly<Record<string, string>>): PluginDirectory {
  const path = mkdtempSync(join(tmpdir(), 'plugins-'));
  for (const [name, text] of Object.entries(files)) {
    mkdirSync(join(path, name));
    writeFileSync(join(path, name, 'index.js'), text);
  }
  return {
    path,
    remove: () => {
      rmSync(path, { recursive: true, force: true });
    },
  };
}

export const probeDirectory = (): PluginDirectory => pluginDirectory({ probe: PROBE });

/** What the header of a request to the probe says. */
export const probe = (
  calls: readonly (readonly unknown[])[],
  then: 'exit' | 'large' | 'pass' | 'throw' | 'silent' = 'exit',
): Readonly<Record<string, string>> => ({ 'x-probe': JSON.stringify({ calls, then }) });
