import type { Table } from '../clickhouse/catalog/table';
import { indexNotFound, unsupported } from '../common/errors/catalogue';
import { ElasticsearchError } from '../common/errors/elasticsearch-error';
import type { Denial } from '../metadata/authorization';
import { resolveDateMath } from './date-math-name';
import type { GatewayRequest } from './endpoints/definition';
import { namedIndexes, type ServedIndexes } from './index-expression';
import { indicesOptions, type IndicesOptions } from './indices-options';
import type { Runtime } from './runtime';
import { denialOf } from './send-on';

/** An index expression that names indexes in ClickHouse. */
export interface NamedHere {
  /** As the caller wrote it. */
  readonly expression: string;
  readonly options: IndicesOptions;
  /** What stands between the commas, dates calculated. */
  readonly parts: readonly string[];
  /** Ours that it names by their own names. */
  readonly plain: readonly string[];
  /** Ours that only its patterns match. */
  readonly matched: readonly string[];
}

/** What an expression that names indexes of ours stands for. */
export type Resolved =
  /** Ours alone, sorted; none where its patterns match none that the caller may read. */
  | { readonly kind: 'indexes'; readonly names: readonly string[] }
  /** Elasticsearch's alone: its patterns match none of ours that the caller may read. */
  | { readonly kind: 'elsewhere' }
  /** The caller may not read one of them. */
  | Denial;

/**
 * Reads an index expression; undefined when it names nothing in ClickHouse and belongs to Elasticsearch. `query` has the
 * options, `now` (epoch ms) is the moment of its dates. Throws 400 for options and dates that cannot be read.
 */
export function readNames(
  expression: string,
  served: ServedIndexes,
  { query, now }: { readonly query: ReadonlyMap<string, string>; readonly now: number },
): NamedHere | undefined {
  if (served.has(expression))
    return {
      ...{ expression, options: indicesOptions(query), parts: [expression] },
      ...{ plain: [expression], matched: [] },
    };
  if (namedIndexes(expression, served).size === 0) return undefined;
  const options = indicesOptions(query);
  const parts = expression.split(',').map((part) => resolveDateMath(part, now));
  const named = [...namedIndexes(parts.join(','), served)].sort();
  const plain = named.filter((name) => parts.includes(name));
  const matched = options.expandsOpen ? named.filter((name) => !plain.includes(name)) : [];
  if (plain.length + matched.length === 0) return undefined;
  return { expression, options, parts, plain, matched };
}

/**
 * The indexes that an expression stands for. Throws 400 where it names indexes in Elasticsearch, too, and 404 where a
 * name, or with `allow_no_indices=false` a pattern, stands for nothing.
 */
export async function resolveNames(
  named: NamedHere,
  request: GatewayRequest,
  runtime: Runtime,
): Promise<Resolved> {
  const { parts, plain } = named;
  const [only] = plain;
  if (parts.length === 1 && only !== undefined) return resolveOne(only, request, runtime);
  const elsewhere = await elsewhereOf(named, request, runtime);
  requireFound(named, elsewhere, runtime.served);
  const resolved = await resolveSeveral(named, request, runtime);
  if (resolved.kind === 'denied' || elsewhere.names.length === 0) return resolved;
  if (resolved.names.length === 0) return { kind: 'elsewhere' };
  throw mixed(named.expression, resolved.names, elsewhere.names);
}

/** Names only what the caller may read. */
const mixed = (expression: string, here: readonly string[], there: readonly string[]): Error =>
  unsupported(
    `[${expression}], which names ${listed(here)} in ClickHouse and ${listed(there)} in Elasticsearch: use a data view (index pattern) of one kind`,
  );

/** So many names stand in the reason of a refusal. */
const SHOWN_NAMES = 5;

const listed = (names: readonly string[]): string =>
  names
    .slice(0, SHOWN_NAMES)
    .map((name) => `[${name}]`)
    .join(', ') + (names.length > SHOWN_NAMES ? ', …' : '');

/** A whitelisted name without a table is never left out: it is a mistake of the configuration. */
async function resolveOne(
  name: string,
  request: GatewayRequest,
  runtime: Runtime,
): Promise<Resolved> {
  const denial = await denialOf(name, request, runtime);
  if (denial) return denial;
  await runtime.table(name);
  return { kind: 'indexes', names: [name] };
}

async function resolveSeveral(
  { plain, matched, options, expression }: NamedHere,
  request: GatewayRequest,
  runtime: Runtime,
): Promise<Exclude<Resolved, { readonly kind: 'elsewhere' }>> {
  const readable: string[] = [];
  let denied: Denial | undefined;
  for (const name of plain) {
    const denial = await denialOf(name, request, runtime);
    if (denial && !options.ignoreUnavailable) return denial;
    denied ??= denial;
    if (!denial && (await isThere(name, options, runtime))) readable.push(name);
  }
  readable.push(...(await readableNames(matched, request, runtime)));
  if (readable.length > 0) return { kind: 'indexes', names: readable.sort() };
  if (denied) return denied;
  if (!options.allowNoIndices) throw indexNotFound(expression);
  return { kind: 'indexes', names: [] };
}

async function isThere(
  name: string,
  { ignoreUnavailable }: IndicesOptions,
  runtime: Runtime,
): Promise<boolean> {
  if (ignoreUnavailable) return (await tableOf(name, runtime)) !== undefined;
  await runtime.table(name);
  return true;
}

/** Of several names those that the caller may read and that have a table. */
export async function readableNames(
  names: readonly string[],
  request: GatewayRequest,
  runtime: Runtime,
): Promise<readonly string[]> {
  const readable = await Promise.all(
    names.map(
      async (name) =>
        !(await denialOf(name, request, runtime)) && (await tableOf(name, runtime)) !== undefined,
    ),
  );
  return names.filter((_name, i) => readable[i]);
}

/** The table behind a whitelisted name; undefined when there is none. */
async function tableOf(name: string, runtime: Runtime): Promise<Table | undefined> {
  try {
    return await runtime.table(name);
  } catch (error) {
    if (error instanceof ElasticsearchError && error.status === 404) return undefined;
    throw error;
  }
}

/** What the rest of an expression names in Elasticsearch, and the names in it that are nowhere. */
interface Elsewhere {
  readonly names: readonly string[];
  readonly missing: readonly string[];
}

const isPatternPart = (part: string): boolean => part.includes('*') || part.startsWith('-');

/** One of ours stands for an index of Elasticsearch of the same name. */
async function elsewhereOf(
  { parts }: NamedHere,
  { rawHeaders, prefix }: GatewayRequest,
  { namesElsewhere, served }: Runtime,
): Promise<Elsewhere> {
  const ask = async (expression: string): Promise<readonly string[]> => {
    const names = await namesElsewhere?.named(expression, { headers: rawHeaders, prefix });
    return (names ?? []).filter((name) => !served.has(name));
  };
  const others = parts.filter((part) => !served.has(part) && !served.has(part.slice(1)));
  const remote = others.filter((part) => part.includes(':'));
  const local = others.filter((part) => !part.includes(':'));
  const patterns = local.filter(isPatternPart);
  const plain = local.filter((part) => !isPatternPart(part));
  const [matching, ...found] = await Promise.all([
    patterns.some((part) => part.includes('*')) ? ask(patterns.join(',')) : [],
    ...plain.map(ask),
  ]);
  return {
    names: [...new Set([...remote, ...matching, ...found.flat()])],
    missing: plain.filter((_part, i) => found[i]?.length === 0),
  };
}

/** Throws 404 for a name, or with `allow_no_indices=false` a pattern, that stands for nothing. */
function requireFound(
  { options, parts }: NamedHere,
  elsewhere: Elsewhere,
  served: ServedIndexes,
): void {
  const [missing] = elsewhere.missing;
  if (missing !== undefined && !options.ignoreUnavailable) throw indexNotFound(missing);
  const literal = options.expandsNothing ? parts.find((part) => part.includes('*')) : undefined;
  if (literal !== undefined && !options.ignoreUnavailable) throw indexNotFound(literal);
  const unmatched = parts.find(
    (part) => part.includes('*') && namedIndexes(part, served).size === 0 && !part.startsWith('-'),
  );
  if (unmatched !== undefined && !options.allowNoIndices && elsewhere.names.length === 0)
    throw indexNotFound(unmatched);
}
