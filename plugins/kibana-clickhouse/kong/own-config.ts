import { createHash } from 'node:crypto';
import type { KongField, KongFieldEntry } from '../../../schema/kong-field';
import { pluginConfigFields, type PluginConfig } from '../../../schema/plugin-config';

/** A plugin instance's configuration, without what Kong adds to it. */
export interface OwnConfig {
  readonly config: PluginConfig;
  /**
   * Names the configuration to the answer process. Equal for instances that differ only in what does
   * not change an answer: role, failure mode, and what Kong adds.
   */
  readonly runtime: string;
  /** Whether Kong bound the plugin to a route or Service: then its Service does not change from one request to the next. */
  readonly hasFixedService: boolean;
}

/**
 * Reads what Kong gives to the plugin's constructor (Kong 3.9): the fields of the schema and, beside
 * them, `__key__`, `__seq__`, `__plugin_id`, `__ws_id`, `route_id` or `service_id`, and `$refs` of
 * vault references. Throws a TypeError when it is no object.
 */
export function readOwnConfig(given: unknown): OwnConfig {
  if (!isRecord(given)) throw new TypeError('the plugin configuration is no object');
  const fields = Object.entries(given).filter(([key]) => !isAddedByKong(key));
  const own = recordOf(Object.fromEntries(fields), pluginConfigFields);
  const config = { ...DEFAULTS, ...own } as unknown as PluginConfig;
  return {
    config,
    runtime: runtimeId(own),
    hasFixedService: isId(given['route_id']) || isId(given['service_id']),
  };
}

/** Kong has filled them in by the schema; a configuration that never went through Kong has not. */
const DEFAULTS = { role: 'proxy', failure_mode: 'drop-in', log_level: 'info' } as const;

const WITHOUT_EFFECT_ON_ANSWERS: ReadonlySet<string> = new Set(['role', 'failure_mode']);

const isAddedByKong = (key: string): boolean =>
  key.startsWith('__') || key.startsWith('$') || key.endsWith('_id');

const isId = (value: unknown): boolean => typeof value === 'string' && value !== '';

const isRecord = (value: unknown): value is Readonly<Record<string, unknown>> =>
  typeof value === 'object' && value !== null && !Array.isArray(value);

/** Leaves out nulls (not set) and Kong's `$refs` at every depth; writes empty lists as lists. */
function recordOf(
  record: Readonly<Record<string, unknown>>,
  fields: readonly KongFieldEntry[],
): Readonly<Record<string, unknown>> {
  const known = new Map(fields.flatMap((entry) => Object.entries(entry)));
  return Object.fromEntries(
    Object.entries(record)
      .filter(([name, value]) => value !== null && !name.startsWith('$'))
      .map(([name, value]) => [name, valueOf(value, known.get(name))]),
  );
}

/** Kong's JSON encoder writes an empty Lua table as `{}`, whatever the field is. */
function valueOf(value: unknown, field: KongField | undefined): unknown {
  if (!isRecord(value)) return value;
  switch (field?.type) {
    case 'array':
      return Object.values(value);
    case 'map':
      return mapOf(value, field.values);
    default:
      return recordOf(value, field?.fields ?? []);
  }
}

const mapOf = (
  map: Readonly<Record<string, unknown>>,
  values: KongField | undefined,
): Readonly<Record<string, unknown>> =>
  Object.fromEntries(
    Object.entries(map)
      .filter(([key, value]) => value !== null && key !== '$refs')
      .map(([key, value]) => [key, valueOf(value, values)]),
  );

function runtimeId(own: Readonly<Record<string, unknown>>): string {
  const relevant = Object.entries(own).filter(([key]) => !WITHOUT_EFFECT_ON_ANSWERS.has(key));
  return createHash('sha256')
    .update(canonical(Object.fromEntries(relevant)))
    .digest('base64url')
    .slice(0, 22);
}

/** JSON with sorted keys: Lua's tables have no order, so two workers may send different ones. */
const canonical = (value: unknown): string =>
  JSON.stringify(value, (_key, inner: unknown) =>
    isRecord(inner)
      ? Object.fromEntries(Object.entries(inner).sort(([a], [b]) => (a < b ? -1 : 1)))
      : inner,
  );
