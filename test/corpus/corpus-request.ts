import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import {
  type JsonObject,
  type JsonValue,
  isJsonArray,
  isJsonObject,
} from '../../plugins/kibana-clickhouse/common/json/json';
import { parseJson } from '../../plugins/kibana-clickhouse/common/json/parse-json';
import { stringOf } from '../../plugins/kibana-clickhouse/search/values/field-value';

/** A recorded request of a dashboard UI. */
export interface CorpusRequest {
  readonly id: string;
  /** The part of the UI that sent it: `discover`, `lens`. */
  readonly app: string;
  readonly method: string;
  readonly path: string;
  readonly query: Readonly<Record<string, JsonValue>>;
  readonly headers: Readonly<Record<string, string>>;
  readonly body?: JsonValue;
  /** The lines of an `_msearch`, header and search by turns, in place of a body. */
  readonly lines?: readonly JsonObject[];
}

/** All requests of a corpus: a folder with `index.jsonl`, which names one JSON file a line. */
export function readCorpus(folder: string): readonly CorpusRequest[] {
  return readFileSync(join(folder, 'index.jsonl'), 'utf8')
    .split('\n')
    .filter((line) => line !== '')
    .map((line) => (parseJson(line) as JsonObject)['file'])
    .map((file) => toRequest(parseJson(readFileSync(join(folder, stringOf(file ?? '')), 'utf8'))));
}

function toRequest(value: JsonValue): CorpusRequest {
  const entry = value as JsonObject;
  const { body = null } = entry;
  const text = (name: string): string => stringOf(entry[name] ?? '');
  const lines = linesOf(entry);
  return {
    id: text('id'),
    app: text('app'),
    method: text('method'),
    path: text('path'),
    query: (entry['query'] ?? {}) as JsonObject,
    headers: (entry['headers'] ?? {}) as Readonly<Record<string, string>>,
    ...(lines ? { lines } : body === null ? {} : { body }),
  };
}

/** Of some `_msearch` requests only the search was found, without its header. */
function linesOf({ path, format, body }: JsonObject): readonly JsonObject[] | undefined {
  if (format === 'ndjson' && isJsonArray(body))
    return body.filter(isJsonObject).flatMap((pair) => [pair['header'], pair['body']].map(toLine));
  return path === '/_msearch' && isJsonObject(body) ? [{}, body] : undefined;
}

const toLine = (line: JsonValue | undefined): JsonObject =>
  line !== undefined && isJsonObject(line) ? line : {};
