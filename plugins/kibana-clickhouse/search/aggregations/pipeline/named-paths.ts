import {
  isJsonArray,
  isJsonObject,
  type JsonObject,
  type JsonValue,
} from '../../../common/json/json';
import type { PipelineSurroundings } from '../definition';
import { bucketValue } from './bucket-value';
import type { GapPolicy } from './gap-policy';
import { parentOf } from './over-values';
import type { ScriptMap } from '../../scripts/values';

/** Buckets paths by the names under which a script reads their values. */
export type NamedPaths = readonly (readonly [name: string, path: string])[];

/** One path is `_value`, those of a list are `_value0` and so on; undefined for a value of another kind. */
export function parseNamedPaths(value: JsonValue | undefined): NamedPaths | undefined {
  if (typeof value === 'string') return [['_value', value]];
  if (isJsonArray(value)) return value.map((path, i) => [`_value${String(i)}`, textOf(path)]);
  if (!isJsonObject(value)) return undefined;
  return Object.entries(value).map(([name, path]) => [name, textOf(path)]);
}

const textOf = (path: JsonValue): string =>
  isJsonArray(path) || isJsonObject(path) ? '' : String(path);

/** What the paths lead to from a bucket; NaN for a gap, null where they lead nowhere. */
export function namedValues(
  bucket: JsonObject,
  paths: NamedPaths,
  policy: GapPolicy,
  surroundings: PipelineSurroundings,
): ScriptMap {
  const scope = { owner: parentOf(surroundings), context: surroundings.context };
  return new Map(
    paths.map(([name, path]) => [name, bucketValue(bucket, path, policy, scope) ?? null]),
  );
}
