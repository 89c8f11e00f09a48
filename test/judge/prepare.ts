import { spawn } from 'node:child_process';
import { createHash } from 'node:crypto';
import {
  cpSync,
  existsSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  renameSync,
  rmSync,
} from 'node:fs';
import { homedir } from 'node:os';
import { basename, join, relative } from 'node:path';
import type { Engine } from './engines';
import { javaProgram, javaVersion } from './java';

/** An engine that Java can start. */
export interface PreparedEngine {
  /** Jars joined by `:`, always in the same order: Java accepts a class archive only for the same class path. */
  readonly classpath: string;
  /** Where the archive of loaded classes lies, or will lie after the first orderly end. */
  readonly archive: string;
}

const lifeline = join(__dirname, 'lifeline');

/** Outside the checkout, so that `npm ci` and other checkouts find it: `$XDG_CACHE_HOME`, else `~/.cache`. */
function cacheRoot(): string {
  const root = process.env['XDG_CACHE_HOME'] ?? join(homedir(), '.cache');
  return join(root, 'kong-plugin-kibana-clickhouse', 'judge');
}

function filesUnder(directory: string): readonly string[] {
  return readdirSync(directory, { recursive: true, withFileTypes: true })
    .filter((entry) => entry.isFile())
    .map((entry) => join(entry.parentPath, entry.name))
    .sort();
}

function fingerprint(engine: Engine): string {
  const hash = createHash('sha256').update(javaVersion() ?? '');
  for (const file of [...filesUnder(lifeline), ...filesUnder(engine.directory)]) {
    hash.update(relative(__dirname, file)).update('\0').update(readFileSync(file)).update('\0');
  }
  return hash.digest('hex').slice(0, 16);
}

function run(program: string, ...args: readonly string[]): Promise<void> {
  return new Promise((done, fail) => {
    const child = spawn(program, args, { stdio: ['ignore', 'pipe', 'pipe'] });
    let output = '';
    const keep = (chunk: Buffer): void => {
      output = (output + chunk.toString()).slice(-4096);
    };
    child.stdout.on('data', keep);
    child.stderr.on('data', keep);
    child.once('error', fail);
    child.once('close', (code) => {
      if (code === 0) done();
      else fail(new Error(`${program} ended with exit code ${String(code)}:\n${output.trim()}`));
    });
  });
}

const jarsIn = (library: string): readonly string[] =>
  readdirSync(library)
    .filter((name) => name.endsWith('.jar'))
    .sort()
    .map((name) => join(library, name));

const artifactOf = (jar: string): string => basename(jar).replace(/-\d.*$/, '');

/** The jars of plugins that come as zip files, save those that are there already, be it in another version. */
async function unpackPlugins(pom: string, library: string): Promise<void> {
  if (!readdirSync(library).some((file) => file.endsWith('.zip'))) return;
  const unpacked = mkdtempSync(join(library, 'plugins-'));
  const markers = `-DmarkersDirectory=${join(unpacked, 'markers')}`;
  await maven(pom, 'unpack-dependencies', unpacked, '-DincludeTypes=zip', markers);
  const present = new Set(jarsIn(library).map(artifactOf));
  for (const jar of jarsIn(unpacked))
    if (!present.has(artifactOf(jar))) renameSync(jar, join(library, basename(jar)));
  rmSync(unpacked, { recursive: true });
}

const maven = (pom: string, goal: string, into: string, ...more: string[]): Promise<void> =>
  run('mvn', '-q', '-B', '-f', pom, `dependency:${goal}`, `-DoutputDirectory=${into}`, ...more);

async function build(engine: Engine, directory: string): Promise<void> {
  const library = join(directory, 'lib');
  const pom = join(engine.directory, 'pom.xml');
  await maven(pom, 'copy-dependencies', library);
  await unpackPlugins(pom, library);
  const classes = join(directory, 'classes');
  const java = join(engine.directory, 'java');
  const sources = [...filesUnder(lifeline), ...filesUnder(java)].filter((file) =>
    file.endsWith('.java'),
  );
  const classpath = jarsIn(library).join(':');
  await run(
    javaProgram('javac'),
    '-nowarn',
    '-encoding',
    'UTF-8',
    '-d',
    classes,
    '-cp',
    classpath,
    ...sources,
  );
  cpSync(java, classes, { recursive: true, filter: (file) => !file.endsWith('.java') });
  // a class archive covers jars, not folders
  await run(
    javaProgram('jar'),
    '--create',
    '--file',
    join(directory, 'judge.jar'),
    '-C',
    classes,
    '.',
  );
  rmSync(classes, { recursive: true });
}

/**
 * Fetches an engine's jars with Maven and compiles what starts it, once for each state of its pom, sources and Java; later
 * calls find the result in the cache. Throws with Maven's or the compiler's last output.
 */
export async function prepareEngine(engine: Engine): Promise<PreparedEngine> {
  const root = cacheRoot();
  const directory = join(root, `${engine.name}-${fingerprint(engine)}`);
  if (!existsSync(directory)) {
    mkdirSync(root, { recursive: true });
    const building = mkdtempSync(join(root, 'building-'));
    try {
      await build(engine, building);
      // another process may have been faster: what it made is the same
      if (!existsSync(directory)) renameSync(building, directory);
    } finally {
      rmSync(building, { recursive: true, force: true });
    }
  }
  const jars = [join(directory, 'judge.jar'), ...jarsIn(join(directory, 'lib'))];
  return { classpath: jars.join(':'), archive: join(directory, 'classes.jsa') };
}
