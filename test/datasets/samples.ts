import { join } from 'node:path';
import { planFiles } from '../../dev/load/load-documents';
import { type PlannedColumn, lineColumn, toRow } from '../../dev/load/plan-table';
import { readDocuments } from '../../dev/load/read-documents';
import type { JsonObject } from '../../plugins/kibana-clickhouse/common/json/json';
import { type Dataset, type DatasetColumn, integer, textMapping } from './dataset';

/** The real documents of a folder, and the field that each set is sorted by. */
const sampleSets = [
  { file: 'logs', orderBy: 'timestamp' },
  { file: 'flights', orderBy: 'timestamp' },
  { file: 'ecommerce', orderBy: 'order_date' },
] as const;

/** The folder of real documents; undefined where `SAMPLE_DATA` is not set. */
export function sampleFolder(): string | undefined {
  const folder = process.env['SAMPLE_DATA'];
  return folder === '' ? undefined : folder;
}

/**
 * The three sets of real documents as datasets `sample_logs`, `sample_flights`, `sample_ecommerce`, in the form that the
 * documented loader gives them: arrays of objects are flat on both sides.
 */
export async function readSamples(folder: string): Promise<readonly Dataset[]> {
  const sets: Dataset[] = [];
  for (const set of sampleSets) sets.push(await readSample(folder, set));
  return sets;
}

async function readSample(
  folder: string,
  { file, orderBy }: (typeof sampleSets)[number],
): Promise<Dataset> {
  const documents = join(folder, `${file}.ndjson.gz`);
  const plan = await planFiles({ mapping: join(folder, `${file}.mapping.json`), documents });
  const rows: JsonObject[] = [];
  for await (const document of readDocuments(documents))
    rows.push(toRow(plan, document, rows.length));
  const moment = (row: JsonObject): number => Date.parse(row[orderBy] as string);
  rows.sort((a, b) => moment(a) - moment(b));
  return {
    name: `sample_${file}`,
    columns: [integer(lineColumn), ...plan.columns.map(datasetColumn)],
    uniqueField: lineColumn,
    orderBy: [orderBy, lineColumn],
    rows: () => rows,
  };
}

const datasetColumn = ({ name, clickHouse, fieldType, aliasOf }: PlannedColumn): DatasetColumn => ({
  name,
  clickHouse,
  elasticsearch: mappingFor(fieldType, aliasOf),
  ...(aliasOf !== undefined && { aliasOf }),
});

/** Floats of half the size would round what ClickHouse keeps. */
function mappingFor(fieldType: string, aliasOf: string | undefined): JsonObject {
  if (aliasOf !== undefined) return { type: 'alias', path: aliasOf };
  if (fieldType === 'text') return textMapping;
  return { type: fieldType === 'half_float' ? 'float' : fieldType };
}
