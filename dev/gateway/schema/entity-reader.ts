import { createHash } from 'node:crypto';
import {
  isJsonArray,
  isJsonObject,
  type JsonObject,
  type JsonValue,
} from '../../../plugins/kibana-clickhouse/common/json/json';
import { checkRecord, type Problems } from './check';
import type { FieldSchema } from './field';

/** One entity of a kong.yml: its own fields checked, what stands below it or refers to another apart. */
export interface ReadEntity {
  readonly at: string;
  readonly fields: JsonObject;
  readonly id: string;
  /** The lists and references that the schema does not speak of, as given. */
  readonly around: Readonly<Record<string, JsonValue | undefined>>;
}

/** A UUID that stays the same for the same place in the same kong.yml, as Kong's generated ones do. */
function stableId(seed: string): string {
  const hex = createHash('sha1').update(seed).digest('hex');
  const [a, b, c, d, e] = [
    hex.slice(0, 8),
    hex.slice(8, 12),
    hex.slice(13, 16),
    hex.slice(17, 20),
    hex.slice(20, 32),
  ];
  return `${a}-${b}-5${c}-8${d}-${e}`;
}

/** Reads a kong.yml's entities, collecting problems. Unknown keys are named; `_comment` is Kong's own. */
export class EntityReader {
  readonly problems: Problems;
  readonly #names = new Set<string>();

  constructor(problems: Problems) {
    this.problems = problems;
  }

  /** The list under `key`; a missing one is empty, anything but a list is a problem. */
  list(value: JsonValue | undefined, at: string): readonly JsonValue[] {
    if (value === undefined || value === null) return [];
    if (isJsonArray(value)) return value;
    this.problems.add(at, 'expected an array');
    return [];
  }

  /** One entity; `around` names the keys beside the schema's own that it may have. */
  entity(
    schema: Pick<FieldSchema, 'fields' | 'entity_checks'>,
    value: JsonValue,
    at: string,
    around: readonly string[],
  ): ReadEntity {
    const own: Record<string, JsonValue> = {};
    const beside: Record<string, JsonValue> = {};
    const entries = isJsonObject(value) ? Object.entries(value) : [];
    if (!isJsonObject(value)) this.problems.add(at, 'expected a record');
    for (const [key, inner] of entries) {
      if (key === '_comment') continue;
      (around.includes(key) ? beside : own)[key] = inner;
    }
    const fields = isJsonObject(value) ? checkRecord(schema, own, at, this.problems) : {};
    const id =
      typeof fields['id'] === 'string' ? fields['id'] : stableId(`${at} ${nameOf(fields)}`);
    return { at, fields, id, around: beside };
  }

  /** Kong lets a name or key stand once among its kind. */
  unique(kind: string, value: JsonValue | undefined, at: string): void {
    if (typeof value !== 'string') return;
    const entry = `${kind} ${value}`;
    if (this.#names.has(entry)) this.problems.add(at, `uniqueness violation: a second ${kind}`);
    this.#names.add(entry);
  }

  /** The entity that a reference means: its name or id, or `{ name }` or `{ id }`. */
  reference<T extends { readonly id: string }>(
    kind: string,
    value: JsonValue | undefined,
    among: ReadonlyMap<string, T>,
    at: string,
  ): T | undefined {
    if (value === undefined || value === null) return undefined;
    const wanted = isJsonObject(value)
      ? (value['name'] ?? value['username'] ?? value['id'])
      : value;
    const found = typeof wanted === 'string' ? among.get(wanted) : undefined;
    if (found === undefined) this.problems.add(at, `no ${kind} of that name or id`);
    return found;
  }
}

function nameOf(fields: JsonObject): string {
  const name = fields['name'] ?? fields['username'] ?? '';
  return typeof name === 'string' ? name : '';
}
