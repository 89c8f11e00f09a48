import { readFileSync } from 'node:fs';
import { type SqlTarget, query, runSql } from '../clickhouse/run-sql';
import { parseJson } from '../../plugins/kibana-clickhouse/common/json/parse-json';
import type { JsonObject } from '../../plugins/kibana-clickhouse/common/json/json';
import { writeJson } from '../../plugins/kibana-clickhouse/common/json/write-json';
import { insertLines, quotedName } from './insert-lines';
import { type TablePlan, createPlannedTable, planTable, toRow } from './plan-table';
import { readDocuments } from './read-documents';

export interface DocumentFiles {
  /** The index's mapping, as `GET /index/_mapping` or `PUT /index` have it. */
  readonly mapping: string;
  /** One JSON document a line; `.gz` is unpacked. */
  readonly documents: string;
}

/** Reads a mapping and all documents once, and plans their table. */
export const planFiles = ({ mapping, documents }: DocumentFiles): Promise<TablePlan> =>
  planTable(parseJson(readFileSync(mapping)) as JsonObject, readDocuments(documents));

/**
 * Creates a table for the documents of an Elasticsearch index and fills it; gives the number of rows. Objects become columns
 * named by their path, arrays become Array, each row has its `line`. Throws when the table is there already.
 */
export async function loadDocuments(
  target: SqlTarget,
  files: DocumentFiles,
  { table, orderBy }: { readonly table: string; readonly orderBy: readonly string[] },
): Promise<number> {
  const plan = await planFiles(files);
  await runSql(target, createPlannedTable(table, plan, orderBy));
  const lines = async function* (): AsyncGenerator<string> {
    let line = 0;
    for await (const document of readDocuments(files.documents)) {
      yield `${writeJson(toRow(plan, document, line))}\n`;
      line += 1;
    }
  };
  await insertLines(target, table, lines());
  return Number(await query(target, `SELECT count() FROM ${quotedName(table)}`));
}
