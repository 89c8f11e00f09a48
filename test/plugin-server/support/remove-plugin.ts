import { rmSync } from 'node:fs';

/** Removes what `build-plugin` made. */
export default function removePlugin(): void {
  const folder = process.env['BUILT_PLUGIN'];
  if (folder !== undefined) rmSync(folder, { recursive: true, force: true });
}
