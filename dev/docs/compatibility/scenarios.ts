import { existsSync, readdirSync, readFileSync } from 'node:fs';
import { join, relative, resolve, sep } from 'node:path';
import { parse } from 'yaml';
import {
  isJsonArray,
  isJsonObject,
  type JsonObject,
  type JsonValue,
} from '../../../plugins/kibana-clickhouse/common/json/json';
import { type CoveringRequest, type Feature, featuresOf } from './coverage';

/** A scenario file and the features that its requests stand on. */
export interface Coverage {
  /** Relative to the checkout, with `/`. */
  readonly file: string;
  readonly features: readonly Feature[];
}

const root = resolve(__dirname, '../../..');

/** What each scenario under `test/scenarios` covers, by path. Throws with the file's name when one is no YAML. */
export function scenarioCoverage(directory = join(root, 'test/scenarios')): readonly Coverage[] {
  if (!existsSync(directory)) return [];
  return readdirSync(directory, { recursive: true, withFileTypes: true })
    .filter((entry) => entry.isFile() && /\.ya?ml$/.test(entry.name))
    .map((entry) => join(entry.parentPath, entry.name))
    .sort()
    .map((path) => coverageOf(path));
}

function coverageOf(path: string): Coverage {
  const file = relative(root, path).split(sep).join('/');
  try {
    const content = parse(readFileSync(path, 'utf8')) as JsonValue;
    return { file, features: requestsIn(content).flatMap(featuresOf) };
  } catch (error) {
    throw new Error(`${file}: ${error instanceof Error ? error.message : String(error)}`, {
      cause: error,
    });
  }
}

/** Every answered request of a scenario: one that both servers must refuse proves no feature. */
function requestsIn(content: JsonValue): readonly CoveringRequest[] {
  if (isJsonArray(content)) return content.flatMap(requestsIn);
  if (!isJsonObject(content) || isRefusal(content)) return [];
  const { request } = content;
  const own = isJsonObject(request) ? requestOf(request) : [];
  const below = Object.entries(content)
    .filter(([key]) => key !== 'request')
    .flatMap(([, value]) => requestsIn(value));
  return [...own, ...below];
}

const isRefusal = ({ expect }: JsonObject): boolean =>
  isJsonObject(expect) && (expect['error'] !== undefined || Number(expect['status'] ?? 200) >= 400);

function requestOf(request: JsonObject): readonly CoveringRequest[] {
  const { path, method, body, lines } = request;
  if (typeof path !== 'string') return [];
  const content = lines ?? body;
  const standard = content === undefined ? 'GET' : 'POST';
  return [{ path, method: typeof method === 'string' ? method : standard, body: content }];
}
