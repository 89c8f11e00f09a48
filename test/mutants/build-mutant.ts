import { execFileSync } from 'node:child_process';
import { cpSync, mkdtempSync, readFileSync, rmSync, symlinkSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join, resolve } from 'node:path';
import type { Mutant } from './mutants';

const root = resolve(__dirname, '../..');
const sources = ['plugins', 'schema', 'tsconfig.json', 'tsconfig.build.json', 'package.json'];

/** A compiled copy of the product; `close` removes it. */
export interface BuiltProduct {
  /** What `BUILT_PLUGIN` must say. */
  readonly directory: string;
  readonly close: () => void;
}

/**
 * Compiles a copy of the sources, with one place of them changed where a mutant is given. Throws when that place is not
 * there exactly once, and with the compiler's words.
 */
export function buildProduct(mutant?: Mutant): BuiltProduct {
  const directory = mkdtempSync(join(tmpdir(), 'mutant-'));
  const close = (): void => {
    rmSync(directory, { recursive: true, force: true });
  };
  try {
    for (const name of sources)
      cpSync(join(root, name), join(directory, 'source', name), { recursive: true });
    symlinkSync(join(root, 'node_modules'), join(directory, 'node_modules'));
    if (mutant) apply(join(directory, 'source/plugins/kibana-clickhouse'), mutant);
    const project = join(directory, 'source/tsconfig.build.json');
    const tsc = join(root, 'node_modules/typescript/bin/tsc');
    const product = join(directory, 'product');
    const options = ['-p', project, '--outDir', product, '--noCheck', '--sourceMap', 'false'];
    execFileSync(process.execPath, [tsc, ...options], { stdio: 'inherit' });
    return { directory: product, close };
  } catch (error) {
    close();
    throw error;
  }
}

function apply(directory: string, { name, file, from, to }: Mutant): void {
  const path = join(directory, file);
  const parts = readFileSync(path, 'utf8').split(from);
  if (parts.length !== 2)
    throw new Error(
      `mutant "${name}": ${file} has its text ${String(parts.length - 1)} times: ${from}`,
    );
  writeFileSync(path, parts.join(to));
}
