import { existsSync } from 'node:fs';
import { dirname, join } from 'node:path';

/** chDB's packages with a prebuilt engine, by platform, processor and C library. */
const packages: Readonly<Record<string, string>> = {
  'linux-x64-glibc': '@chdb/lib-linux-x64-gnu',
  'linux-arm64-glibc': '@chdb/lib-linux-arm64-gnu',
  'darwin-x64': '@chdb/lib-darwin-x64',
  'darwin-arm64': '@chdb/lib-darwin-arm64',
};

/** What decides which engine fits this machine. */
export interface Platform {
  readonly platform: string;
  readonly arch: string;
  /** Whether the C library is glibc; false on musl (Alpine) and outside Linux. */
  readonly glibc: boolean;
}

/** The machine that this process runs on; Node names glibc's version in its process report. */
export function currentPlatform(): Platform {
  const report = process.report.getReport() as { header?: { glibcVersionRuntime?: string } };
  return {
    platform: process.platform,
    arch: process.arch,
    glibc: report.header?.glibcVersionRuntime !== undefined,
  };
}

const describe = ({ platform, arch, glibc }: Platform): string =>
  platform === 'linux' ? `${platform}-${arch}-${glibc ? 'glibc' : 'musl'}` : `${platform}-${arch}`;

/**
 * Path of the shared library with the ClickHouse engine for a platform. Throws an error that says
 * what exists instead when there is no prebuilt engine, or how to get it when it is not installed.
 */
export function engineLibrary(platform: Platform = currentPlatform()): string {
  const name = packages[describe(platform)];
  if (name === undefined) {
    throw new Error(
      `The embedded ClickHouse has no prebuilt engine for ${describe(platform)}. It exists for ` +
        `${Object.keys(packages).join(', ')}. Name a ClickHouse server instead: --clickhouse URL`,
    );
  }
  const library = installed(name);
  if (library === undefined) {
    throw new Error(
      `The embedded ClickHouse needs the package ${name}, which is not installed. ` +
        'Run `npm ci` with optional and development dependencies, or name a ClickHouse server: --clickhouse URL',
    );
  }
  return library;
}

function installed(name: string): string | undefined {
  try {
    const library = join(dirname(require.resolve(`${name}/package.json`)), 'libchdb.so');
    return existsSync(library) ? library : undefined;
  } catch {
    return undefined;
  }
}
