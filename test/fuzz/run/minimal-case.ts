import { writeJson } from '../../../plugins/kibana-clickhouse/common/json/write-json';
import type { Oracle } from '../../oracle/oracle';
import { printDifferences } from '../../oracle/print-difference';
import { type FuzzDocuments, datasetOf } from '../documents/field';
import type { FuzzRequest } from '../requests/context';
import { shrinkDocuments, shrinkRequest } from './shrink';
import { oracleRequest } from './oracle-request';
import { type FuzzCase, type Verdict, judge, kindsOf } from './verdict';
import { writeScenario } from './write-scenario';

/** A search on which the servers differ. */
export interface FailingCase extends FuzzCase {
  readonly verdict: Verdict;
}

let copies = 0;

/** Makes the request of a failing case small, then its documents, writes it as a scenario, and gives all of it as text. */
export async function minimalCase(oracle: Oracle, failing: FailingCase): Promise<string> {
  const [kind] = kindsOf(failing.verdict);
  const isSame = (verdict: Verdict): boolean =>
    verdict.outcome === 'different' && kindsOf(verdict).includes(kind);
  const request = await shrinkRequest(failing.request, async (candidate) =>
    isSame(await judge(oracle, { ...failing, request: candidate })),
  );
  const documents = await shrinkDocuments(
    failing.documents,
    writeJson({ ...request }),
    async (candidate) => isSame(await onCopy(oracle, candidate, request)),
  );
  const verdict = await onCopy(oracle, documents, request);
  const sql = await oracle.sql(oracleRequest(request, failing.index));
  const file = writeScenario({ request, documents, kind });
  return [
    `\n=== difference: ${kind}`,
    `request: ${writeJson({ ...request })}`,
    printDifferences(verdict.differences),
    `our SQL: ${sql.slice(0, 2000)}`,
    `documents:\n${documents.rows.map(writeJson).join('\n')}`,
    `columns: ${documents.columns.map(({ name, clickHouse }) => `${name} ${clickHouse}`).join(', ')}`,
    `scenario: ${file}`,
  ].join('\n');
}

/** Asks on documents that are loaded for this one search. */
async function onCopy(
  oracle: Oracle,
  documents: FuzzDocuments,
  request: FuzzRequest,
): Promise<Verdict> {
  copies += 1;
  const index = `fuzz-copy-${String(process.pid)}-${String(copies)}`;
  const dataset = datasetOf(documents, index);
  await oracle.load(dataset);
  try {
    return await judge(oracle, { request, documents, index });
  } finally {
    await oracle.remove(dataset);
  }
}
