import {
  appendFileSync,
  existsSync,
  mkdtempSync,
  readFileSync,
  renameSync,
  rmSync,
  writeFileSync,
} from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';

/** Something that a stand-in did, as it wrote it down. */
export interface StandInEvent {
  readonly pid: number;
  readonly event: 'started' | 'configured' | 'released' | 'taken';
  readonly runtime?: string;
  readonly config?: unknown;
  readonly lastKnown?: unknown;
}

/** A child that speaks the answer process's messages and serves nothing: for the parent's own behaviour. */
export interface StandIn {
  readonly main: string;
  readonly events: () => readonly StandInEvent[];
  /** What it tells of every configuration from now on: served names, and the stored settings behind them. */
  tell(names: readonly string[], overlay?: unknown): void;
  /** From now on a new one tells nothing of what is served. */
  mute(): void;
  /** From now on a new one ends as soon as it has started. */
  breakNext(): void;
  remove(): void;
}

const SOURCE = `
const fs = require('node:fs');
const path = require('node:path');
const here = (name) => path.join(__dirname, name);
const note = (event) =>
  fs.appendFileSync(here('events'), JSON.stringify({ pid: process.pid, ...event }) + '\\n');
note({ event: 'started' });
if (fs.existsSync(here('broken'))) process.exit(3);
process.on('disconnect', () => process.exit(0));
const read = (name) => fs.existsSync(here(name)) ? fs.readFileSync(here(name), 'utf8') : undefined;
const known = new Map();
const isMute = read('mute') !== undefined;
let serial = 0;
let last = read('served');
const tell = (runtime) => {
  if (isMute) return;
  const told = last ? JSON.parse(last) : { names: known.get(runtime).settings?.proxy?.whiteIndexList ?? [] };
  process.send({ kind: 'served', runtime, serial: ++serial, ...told });
};
process.on('message', ({ kind, runtime, config, lastKnown }) => {
  if (kind === 'taken') note({ event: 'taken', runtime });
  if (kind === 'release') {
    known.delete(runtime);
    note({ event: 'released', runtime });
  }
  if (kind !== 'configure') return;
  known.set(runtime, config);
  note({ event: 'configured', runtime, config, lastKnown });
  process.send({ kind: 'configured', runtime });
  tell(runtime);
});
setInterval(() => {
  const now = read('served');
  if (now === last || !now) return;
  last = now;
  for (const runtime of known.keys()) tell(runtime);
}, 10);
process.send({ kind: 'ready', port: 4711, secret: String(process.pid) });
`;

export function standIn(): StandIn {
  const folder = mkdtempSync(join(tmpdir(), 'stand-in-'));
  const main = join(folder, 'main.js');
  const events = join(folder, 'events');
  writeFileSync(main, SOURCE);
  return {
    main,
    events: () =>
      existsSync(events)
        ? readFileSync(events, 'utf8')
            .split('\n')
            .filter((line) => line !== '')
            .map((line) => JSON.parse(line) as StandInEvent)
        : [],
    tell: (names, overlay) => {
      // written whole, or not at all
      writeFileSync(join(folder, 'next'), JSON.stringify({ names, overlay }));
      renameSync(join(folder, 'next'), join(folder, 'served'));
    },
    mute: () => {
      appendFileSync(join(folder, 'mute'), '');
    },
    breakNext: () => {
      appendFileSync(join(folder, 'broken'), '');
    },
    remove: () => {
      rmSync(folder, { recursive: true, force: true });
    },
  };
}
