import { createHash } from 'node:crypto';
import { runSql } from '../../dev/clickhouse/run-sql';
import { insertLines, quotedName } from '../../dev/load/insert-lines';
import type { JsonObject } from '../../plugins/kibana-clickhouse/common/json/json';
import { parseJson } from '../../plugins/kibana-clickhouse/common/json/parse-json';
import { writeJson } from '../../plugins/kibana-clickhouse/common/json/write-json';
import {
  type Dataset,
  type DatasetRow,
  completeRow,
  createTable,
  mappingOf,
} from '../datasets/dataset';
import { ask } from '../gateway/client';
import { type JudgeDocument, loadIndex } from '../judge/load';
import { judgeRequest } from '../judge/request';

/** Creates a dataset's table in place of one of that name and fills it, numbers to their last digit. */
export async function loadTable(clickHouseUrl: string, dataset: Dataset): Promise<void> {
  const { name } = dataset;
  await runSql(clickHouseUrl, `DROP TABLE IF EXISTS ${quotedName(name)} SYNC`);
  await runSql(clickHouseUrl, createTable(dataset));
  const lines = function* (): Generator<string> {
    for (const row of dataset.rows()) yield `${writeJson(completeRow(dataset, row))}\n`;
  };
  await insertLines({ url: clickHouseUrl }, name, lines());
}

const pageSize = 10_000;

/** The product's `_id` of every row, by the text of its unique number. */
async function productIds(
  productUrl: string,
  { name, uniqueField }: Dataset,
  numbers: readonly number[],
): Promise<ReadonlyMap<string, string>> {
  const ids = new Map<string, string>();
  const sorted = [...numbers].sort((a, b) => a - b);
  for (let start = 0; start < sorted.length; start += pageSize) {
    const page = sorted.slice(start, start + pageSize);
    const range = { gte: page[0] ?? 0, lte: page.at(-1) ?? 0 };
    const { status, text } = await ask(productUrl, `/${name}/_search`, {
      method: 'POST',
      body: {
        size: pageSize,
        _source: [uniqueField],
        query: { range: { [uniqueField]: range } },
      },
    });
    if (status !== 200) throw new Error(`the product's _id of ${name}: ${String(status)} ${text}`);
    for (const [key, id] of idsOf(parseJson(text) as JsonObject, uniqueField)) ids.set(key, id);
  }
  return ids;
}

function idsOf(answer: JsonObject, uniqueField: string): readonly (readonly [string, string])[] {
  const { hits } = answer['hits'] as unknown as { readonly hits: readonly JsonObject[] };
  return hits.map((hit) => {
    const source = hit['_source'] as JsonObject;
    return [numberText(source, uniqueField), hit['_id'] as string] as const;
  });
}

/**
 * Loads a dataset into the judge under the `_id`s that the product gives its rows; the table must be in ClickHouse already.
 * An index that holds just this stays as it is.
 */
export async function loadJudge(
  judgeUrl: string,
  productUrl: string,
  dataset: Dataset,
): Promise<void> {
  const { name, uniqueField } = dataset;
  const rows: readonly DatasetRow[] = Array.from(dataset.rows(), (row) =>
    completeRow(dataset, row),
  );
  const numbers = rows.map((row) => Number(row[uniqueField]));
  const ids = await productIds(productUrl, dataset, numbers);
  if (ids.size !== rows.length)
    throw new Error(
      `${name}: ${String(rows.length)} rows, ${String(ids.size)} _ids in the product`,
    );
  const documents = rows.map((row): StoredDocument => ({
    id: ids.get(numberText(row, uniqueField)) ?? '',
    source: writeJson(row),
  }));
  const fingerprint = fingerprintOf(dataset, documents);
  if ((await loadedFingerprint(judgeUrl, name)) === fingerprint) return;
  await loadIndex(judgeUrl, { index: name, mappings: mappingOf(dataset), documents });
  // only a whole load may be taken for one
  await judgeRequest(judgeUrl, 'PUT', `/${name}/_mapping`, { _meta: { fingerprint } });
}

const numberText = (row: JsonObject, name: string): string => writeJson(row[name] ?? null);

/** A document as it is sent. */
interface StoredDocument extends JudgeDocument {
  readonly id: string;
  readonly source: string;
}

function fingerprintOf(dataset: Dataset, documents: readonly StoredDocument[]): string {
  const hash = createHash('sha256').update(writeJson(mappingOf(dataset)));
  for (const { id, source } of documents) hash.update(`${id}\n${source}\n`);
  return hash.digest('hex');
}

async function loadedFingerprint(judgeUrl: string, name: string): Promise<string | undefined> {
  const { status, body } = await judgeRequest(judgeUrl, 'GET', `/${name}/_mapping`);
  if (status !== 200) return undefined;
  type Mapping = Record<string, { mappings?: { _meta?: { fingerprint?: string } } }>;
  return (body as Mapping)[name]?.mappings?._meta?.fingerprint;
}
