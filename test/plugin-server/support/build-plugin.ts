import { execFileSync } from 'node:child_process';
import { existsSync, mkdtempSync, symlinkSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join, resolve } from 'node:path';

const ROOT = resolve(__dirname, '../../..');

/**
 * Compiles the product into a folder of its own, as `npm run build` does into `dist`, so that these
 * tests always run what the sources say. `BUILT_PLUGIN` names the folder.
 */
export default function buildPlugin(): void {
  const folder = mkdtempSync(join(tmpdir(), 'built-plugin-'));
  symlinkSync(join(ROOT, 'node_modules'), join(folder, 'node_modules'));
  const tsc = join(ROOT, 'node_modules/typescript/bin/tsc');
  const options = ['-p', join(ROOT, 'tsconfig.build.json'), '--outDir', folder, '--noCheck'];
  execFileSync(process.execPath, [tsc, ...options], { stdio: 'inherit' });
  if (!existsSync(join(folder, 'plugins/kibana-clickhouse/index.js')))
    throw new Error('the build left no plugin behind');
  process.env['BUILT_PLUGIN'] = folder;
}
