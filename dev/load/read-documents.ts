import { createReadStream } from 'node:fs';
import { createInterface } from 'node:readline';
import { createGunzip } from 'node:zlib';
import type { JsonObject } from '../../plugins/kibana-clickhouse/common/json/json';
import { parseJson } from '../../plugins/kibana-clickhouse/common/json/parse-json';

/** The documents of a file with one JSON object a line, gzipped where its name ends in `.gz`; numbers keep every digit. */
export async function* readDocuments(file: string): AsyncGenerator<JsonObject> {
  const bytes = createReadStream(file);
  const input = file.endsWith('.gz') ? bytes.pipe(createGunzip()) : bytes;
  let number = 0;
  for await (const line of createInterface({ input, crlfDelay: Infinity })) {
    number += 1;
    if (line.trim() === '') continue;
    const document = parseJson(line);
    if (typeof document !== 'object' || document === null || Array.isArray(document))
      throw new Error(`${file}, line ${String(number)}: a document is an object`);
    yield document as JsonObject;
  }
}
