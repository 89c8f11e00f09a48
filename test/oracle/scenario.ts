import { createHash } from 'node:crypto';
import { readFileSync, readdirSync } from 'node:fs';
import { join, relative, resolve, sep } from 'node:path';
import { parse } from 'yaml';
import {
  type JsonObject,
  type JsonValue,
  isJsonArray,
  isJsonObject,
} from '../../plugins/kibana-clickhouse/common/json/json';
import { datasets } from '../datasets/all';
import type { Dataset, DatasetColumn, DatasetRow } from '../datasets/dataset';
import type { Ignored } from './ignored';
import type { OracleRequest } from './judge-request';

/**
 * One request and what matters in its answer. A file under `test/scenarios` holds one, or a list of them:
 *
 * ```yaml
 * - name: terms are ordered by count, ties by key
 *   dataset: missing
 *   request: { path: /missing/_search, body: { size: 0, aggs: { … } } }
 *   expect: { aggregations: { hosts: { buckets: [{ key: a, doc_count: 2 }] } } }
 *   textSearch: tokens # the table has that option, the judge's analysed text is asked as it is
 *   tolerate: [{ path: aggregations.x.value, reason: why both may be right }]
 * ```
 */
export interface Scenario {
  /** File without folder and ending, and the scenario's own name. */
  readonly name: string;
  readonly dataset: Dataset;
  readonly request: OracleRequest;
  /** Part of the body that both must answer; members and list elements that are not named are free. */
  readonly expect: JsonValue;
  readonly tolerate: readonly Ignored[];
  /** Why no judge can answer it; only the product is asked then. */
  readonly unjudged?: string;
  /** Why the answers differ for now; the scenario fails as soon as they agree. */
  readonly known?: string;
}

const root = resolve(__dirname, '../scenarios');
const keys: readonly string[] = [
  'name',
  'dataset',
  'documents',
  'request',
  'expect',
  'tolerate',
  'textSearch',
  'unjudged',
  'known',
];

/** All scenarios of a folder, by the order of their files. Throws with the file's name for what is none. */
export function readScenarios(folder = root): readonly Scenario[] {
  return readdirSync(folder, { recursive: true, withFileTypes: true })
    .filter((entry) => entry.isFile() && entry.name.endsWith('.yaml'))
    .map((entry) => join(entry.parentPath, entry.name))
    .sort()
    .flatMap((path) => readFile(path, folder));
}

function readFile(path: string, folder: string): readonly Scenario[] {
  const file = relative(folder, path)
    .split(sep)
    .join('/')
    .replace(/\.yaml$/, '');
  const text = readFileSync(path, 'utf8');
  try {
    const content = withNumbers(parse(text, { intAsBigInt: true }) as JsonValue);
    const title = /^# *(.+)/.exec(text)?.[1];
    if (!isJsonArray(content)) return [toScenario(content, file, title)];
    return content.map((one) => toScenario(one, file, undefined));
  } catch (error) {
    throw new Error(`test/scenarios/${file}.yaml: ${String(error)}`, { cause: error });
  }
}

/** YAML's integers are read as bigint, so that none loses digits. */
function withNumbers(value: JsonValue): JsonValue {
  if (typeof value === 'bigint') {
    const plain = Number(value);
    return Number.isSafeInteger(plain) ? plain : value;
  }
  if (isJsonArray(value)) return value.map(withNumbers);
  if (!isJsonObject(value)) return value;
  return Object.fromEntries(Object.entries(value).map(([key, one]) => [key, withNumbers(one)]));
}

function toScenario(content: JsonValue, file: string, title: string | undefined): Scenario {
  if (!isJsonObject(content)) throw new Error('a scenario is an object');
  const unknown = Object.keys(content).find((key) => !keys.includes(key));
  if (unknown !== undefined) throw new Error(`unknown key ${unknown}`);
  const { name, request, expect = {}, tolerate = [], unjudged, known } = content;
  const label = typeof name === 'string' ? name : title;
  if (label === undefined) throw new Error('a scenario needs a name');
  if (!isJsonObject(request)) throw new Error(`${label}: no request`);
  const dataset = datasetOf(content);
  return {
    name: `${file}: ${label}`,
    dataset,
    request: toRequest(request, dataset, content['textSearch'] !== undefined),
    expect,
    tolerate: tolerate as unknown as readonly Ignored[],
    ...(typeof unjudged === 'string' && { unjudged }),
    ...(typeof known === 'string' && { known }),
  };
}

function datasetOf(content: JsonObject): Dataset {
  const { textSearch } = content;
  const dataset = baseDatasetOf(content);
  if (textSearch === undefined) return dataset;
  if (textSearch !== 'tokens') throw new Error('textSearch is tokens, or absent');
  return { ...dataset, name: `${dataset.name}_tokens`, textSearch };
}

function baseDatasetOf({ dataset, documents }: JsonObject): Dataset {
  if (isJsonObject(documents)) return ownDataset(documents);
  const found = typeof dataset === 'string' ? datasets.get(dataset) : undefined;
  if (found === undefined) throw new Error(`no such dataset: ${JSON.stringify(dataset)}`);
  return found;
}

/** Documents that a scenario brings along; its request names their index `found`. The first column tells them apart. */
function ownDataset(documents: JsonObject): Dataset {
  const { columns, rows } = documents as unknown as {
    readonly columns: readonly DatasetColumn[];
    readonly rows: readonly DatasetRow[];
  };
  const digest = createHash('sha256').update(JSON.stringify([columns, rows], digits));
  const uniqueField = columns[0]?.name ?? '';
  return {
    name: `found_${digest.digest('hex').slice(0, 12)}`,
    columns,
    uniqueField,
    orderBy: [uniqueField],
    rows: () => rows,
  };
}

const digits = (_: string, value: unknown): unknown =>
  typeof value === 'bigint' ? value.toString() : value;

const ownIndex = '/found/';

/** A dataset that is searched in another way has a table of its own: its name takes the place of the index. */
function toRequest(request: JsonObject, { name }: Dataset, isRenamed: boolean): OracleRequest {
  const { path, method, body, lines } = request;
  if (typeof path !== 'string') throw new Error('a request needs a path');
  return {
    path: isRenamed || path.startsWith(ownIndex) ? path.replace(/^\/[^/]+\//, `/${name}/`) : path,
    ...(typeof method === 'string' && { method }),
    ...(body !== undefined && { body }),
    ...(isJsonArray(lines) && { lines }),
  };
}
