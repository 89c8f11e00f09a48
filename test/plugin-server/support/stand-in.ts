import {
  appendFileSync,
  existsSync,
  mkdtempSync,
  readFileSync,
  rmSync,
  writeFileSync,
} from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';

/** Something that a stand-in did, as it wrote it down. */
export interface StandInEvent {
  readonly pid: number;
  readonly event: 'started' | 'configured';
  readonly runtime?: string;
  readonly config?: unknown;
}

/** A child that speaks the answer process's messages and serves nothing: for the parent's own behaviour. */
export interface StandIn {
  readonly main: string;
  readonly events: () => readonly StandInEvent[];
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
process.on('message', ({ kind, runtime, config }) => {
  if (kind !== 'configure') return;
  note({ event: 'configured', runtime, config });
  process.send({ kind: 'configured', runtime });
});
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
    breakNext: () => {
      appendFileSync(join(folder, 'broken'), '');
    },
    remove: () => {
      rmSync(folder, { recursive: true, force: true });
    },
  };
}
