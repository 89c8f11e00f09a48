import { readFileSync, writeFileSync } from 'node:fs';
import { resolve } from 'node:path';
import { type KibanaVersion, savedObjects } from './saved-objects';

export const kibanaVersions: readonly KibanaVersion[] = ['7.10', '8.12'];

const pathOf = (version: KibanaVersion): string =>
  resolve(__dirname, `../../../docs/kibana/proxy-monitor-${version}.ndjson`);

/** What Kibana's import takes: one object a line. */
export const exported = (version: KibanaVersion): string =>
  `${savedObjects(version)
    .map((object) => JSON.stringify(object))
    .join('\n')}\n`;

/** The file as it lies there. */
export const writtenObjects = (version: KibanaVersion): string =>
  readFileSync(pathOf(version), 'utf8');

if (require.main === module)
  for (const version of kibanaVersions) writeFileSync(pathOf(version), exported(version));
