import { spawnSync } from 'node:child_process';
import { join } from 'node:path';

/**
 * The Java versions that can run both engines: they need 17, and the locale data that the judge is told to use (see
 * start.ts) left the JDK with 23.
 */
const firstVersion = 17;
const lastVersion = 22;

/** Path of a program of the JDK: `JAVA_HOME`'s when that is set, else what `PATH` gives. */
export function javaProgram(name: 'java' | 'javac' | 'jar'): string {
  const home = process.env['JAVA_HOME'];
  return home === undefined || home === '' ? name : join(home, 'bin', name);
}

/** First line of `java -version`, such as `openjdk version "17.0.15" 2025-04-15`; undefined without Java. */
export function javaVersion(): string | undefined {
  const { status, stderr } = spawnSync(javaProgram('java'), ['-version'], { encoding: 'utf8' });
  if (status !== 0) return undefined;
  return stderr.split('\n').find((line) => line.includes(' version "'));
}

const runs = (program: string, argument: string): boolean =>
  spawnSync(program, [argument], { stdio: 'ignore' }).status === 0;

/** What this machine lacks to start a judge, as a sentence; undefined when it can. */
export function missingTools(): string | undefined {
  const version = javaVersion();
  if (version === undefined) return 'Java is not installed';
  const major = Number(/"(\d+)/.exec(version)?.[1]);
  if (!(major >= firstVersion && major <= lastVersion)) {
    return `Java ${String(firstVersion)} to ${String(lastVersion)} is needed, here is ${version}`;
  }
  if (!runs(javaProgram('javac'), '-version')) return 'the Java compiler (javac) is not installed';
  if (!runs(javaProgram('jar'), '--version')) return 'the Java archiver (jar) is not installed';
  if (!runs('mvn', '--version')) return 'Maven (mvn) is not installed';
  return undefined;
}
