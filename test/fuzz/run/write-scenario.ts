import { createHash } from 'node:crypto';
import { mkdirSync, writeFileSync } from 'node:fs';
import { join, relative, resolve } from 'node:path';
import { stringify } from 'yaml';
import type { FuzzDocuments } from '../documents/field';
import type { FuzzRequest } from '../requests/context';
import { oracleRequest } from './oracle-request';

interface FoundCase {
  readonly request: FuzzRequest;
  readonly documents: FuzzDocuments;
  readonly kind: string;
}

const root = resolve(__dirname, '../../..');

/** Where cases go: `FUZZ_SCENARIOS`, else beside the other scenarios. */
const folder = (): string => process.env['FUZZ_SCENARIOS'] ?? join(root, 'test/scenarios/found');

/** Writes a case as a scenario with its own documents; gives the file's path. */
export function writeScenario({ request, documents, kind }: FoundCase): string {
  const content = {
    documents: { columns: documents.columns, rows: documents.rows },
    request: oracleRequest(request, 'found'),
  };
  const text = `# found by random comparison: ${kind.replaceAll('\n', ' ')}\n${stringify(content)}`;
  const name = createHash('sha256').update(text).digest('hex').slice(0, 12);
  mkdirSync(folder(), { recursive: true });
  const file = join(folder(), `${name}.yaml`);
  writeFileSync(file, text);
  return relative(root, file);
}
