import {
  type JsonObject,
  type JsonValue,
  isJsonArray,
  isJsonObject,
} from '../../../plugins/kibana-clickhouse/common/json/json';
import type { FuzzDocuments } from '../documents/field';
import type { FuzzRequest } from '../requests/context';

/** Values that are smaller by one step, the largest steps first: a member left out, or a member in place of the whole. */
function* smaller(value: JsonValue): Generator<JsonValue> {
  if (isJsonArray(value)) yield* smallerArrays(value);
  else if (isJsonObject(value)) yield* smallerObjects(value);
}

function* smallerArrays(value: readonly JsonValue[]): Generator<JsonValue> {
  for (const at of value.keys()) yield value.toSpliced(at, 1);
  for (const [at, item] of value.entries())
    for (const less of smaller(item)) yield value.with(at, less);
}

function* smallerObjects(value: JsonObject): Generator<JsonValue> {
  const keys = Object.keys(value);
  for (const key of keys)
    yield Object.fromEntries(Object.entries(value).filter(([name]) => name !== key));
  // a clause in place of the bool around it, the sub-aggregations in place of their bucket
  yield* hoisted(value);
  for (const key of keys)
    for (const less of smaller(value[key] ?? null)) yield { ...value, [key]: less };
}

function* hoisted(value: JsonObject): Generator<JsonValue> {
  for (const member of Object.values(value)) {
    if (!isJsonObject(member)) continue;
    for (const inner of Object.values(member)) {
      if (isJsonObject(inner)) yield inner;
      if (isJsonArray(inner)) yield* inner.filter(isJsonObject);
    }
  }
}

/** Whether a smaller case still shows the difference. */
type StillFails<T> = (candidate: T) => Promise<boolean>;

/** The smallest request that still fails, after at most `limit` attempts. */
export async function shrinkRequest(
  request: FuzzRequest,
  fails: StillFails<FuzzRequest>,
  limit = 250,
): Promise<FuzzRequest> {
  let best = request;
  let attempts = 0;
  for (let progress = true; progress;) {
    progress = false;
    for (const candidate of smallerObjects({ parameters: best.parameters, body: best.body })) {
      const next = candidate as unknown as FuzzRequest;
      if (!isJsonObject(next.parameters) || !isJsonObject(next.body)) continue;
      attempts += 1;
      if (attempts > limit) return best;
      if (!(await fails(next))) continue;
      best = next;
      progress = true;
      break;
    }
  }
  return best;
}

/** The fewest columns and documents that still fail, after at most `limit` attempts. `named`: the request's text. */
export async function shrinkDocuments(
  documents: FuzzDocuments,
  named: string,
  fails: StillFails<FuzzDocuments>,
  limit = 40,
): Promise<FuzzDocuments> {
  let best = documents;
  let attempts = 0;
  const adopt = async (candidate: FuzzDocuments): Promise<boolean> => {
    attempts += 1;
    if (attempts > limit || !(await fails(candidate))) return false;
    best = candidate;
    return true;
  };
  // most errors need no document
  await adopt({ ...best, rows: [] });
  await adopt(withColumns(best, named));
  for (let size = Math.ceil(best.rows.length / 2); size >= 1; size = nextSize(size))
    for (let start = 0; start < best.rows.length && best.rows.length > 1;)
      if (!(await adopt({ ...best, rows: best.rows.toSpliced(start, size) }))) start += size;
  return best;
}

const nextSize = (size: number): number => (size === 1 ? 0 : Math.ceil(size / 2));

/** The first column, which tells documents apart, and those that the request names. */
function withColumns(documents: FuzzDocuments, request: string): FuzzDocuments {
  const [first, ...others] = documents.columns;
  const kept = others.filter(({ name }) => request.includes(name));
  const columns = first === undefined ? kept : [first, ...kept];
  const names = new Set(columns.map(({ name }) => name));
  const rows = documents.rows.map((row) =>
    Object.fromEntries(Object.entries(row).filter(([key]) => names.has(key))),
  );
  return { ...documents, rows, columns };
}
