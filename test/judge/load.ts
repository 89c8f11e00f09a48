import { judgeRequest } from './request';

/** A document as an object, or as JSON text where its numbers must arrive as they are written. */
export interface JudgeDocument {
  readonly id?: string;
  readonly source: object | string;
}

export interface JudgeIndex {
  readonly index: string;
  readonly mappings: object;
  /** Besides one shard and no replica, which make bucket counts exact. */
  readonly settings?: object;
  readonly documents: Iterable<JudgeDocument>;
}

const batchCharacters = 4_000_000;

async function expectSuccess(
  url: string,
  method: string,
  path: string,
  body?: object,
): Promise<void> {
  const { status, text } = await judgeRequest(url, method, path, body);
  if (status >= 300) throw new Error(`${method} ${path}: ${String(status)} ${text}`);
}

interface BulkAnswer {
  readonly errors: boolean;
  readonly items: readonly Readonly<Record<string, { readonly error?: unknown }>>[];
}

async function sendBatch(url: string, index: string, lines: string): Promise<void> {
  const { status, text, body } = await judgeRequest(url, 'POST', `/${index}/_bulk`, lines);
  if (status !== 200) throw new Error(`POST /${index}/_bulk: ${String(status)} ${text}`);
  const { errors, items } = body as BulkAnswer;
  if (!errors) return;
  const failed = items
    .flatMap((item) => Object.values(item))
    .find(({ error }) => error !== undefined);
  throw new Error(`POST /${index}/_bulk: ${JSON.stringify(failed)}`);
}

function toLines({ id, source }: JudgeDocument): string {
  const action = JSON.stringify({ index: id === undefined ? {} : { _id: id } });
  const text =
    typeof source === 'string' ? source.replace(/[\r\n]+/g, ' ') : JSON.stringify(source);
  return `${action}\n${text}\n`;
}

/**
 * Creates an index with one shard, in place of one of that name, fills it by `_bulk` and refreshes it: the order of the
 * index is that of the documents. Later changes show after a refresh only. Gives the number of documents. Throws with the server's words when it refuses the mapping or a document.
 */
export async function loadIndex(url: string, content: JudgeIndex): Promise<number> {
  const { index, mappings, settings, documents } = content;
  await expectSuccess(url, 'DELETE', `/${index}?ignore_unavailable=true`);
  // a refresh in the middle would end a segment, and merges may put a later one in front of it
  const shards = { number_of_shards: 1, number_of_replicas: 0, refresh_interval: '-1' };
  await expectSuccess(url, 'PUT', `/${index}`, { settings: { ...settings, ...shards }, mappings });
  let count = 0;
  let lines = '';
  for (const document of documents) {
    count += 1;
    lines += toLines(document);
    if (lines.length < batchCharacters) continue;
    await sendBatch(url, index, lines);
    lines = '';
  }
  if (lines !== '') await sendBatch(url, index, lines);
  await expectSuccess(url, 'POST', `/${index}/_refresh`);
  return count;
}
