import { isJsonArray, isJsonObject, type JsonObject, type JsonValue } from './json';

/** The names of a path that are still to be found, `*` and `**` among them. */
type Path = readonly string[];

/**
 * What `filter_path` leaves of an answer: a comma list of paths, those behind a `-` left out. `*` stands for any part of a
 * name, `**` for any number of names; lists are looked through. What holds nothing any more is left out, too
 * (Elasticsearch 7.17, `FilterPath`).
 */
export function filterPath(body: JsonObject, filter: string): JsonObject {
  const paths = filter.split(',').filter((path) => path !== '');
  const included = paths.filter((path) => !path.startsWith('-')).map(namesOf);
  const excluded = paths
    .filter((path) => path.startsWith('-'))
    .map((path) => namesOf(path.slice(1)));
  const kept = included.length === 0 ? body : keep(body, included);
  const rest = excluded.length === 0 || kept === undefined ? kept : drop(kept, excluded);
  return isJsonObject(rest) ? rest : {};
}

/** A dot of a name itself is written `\.`. */
const namesOf = (path: string): Path =>
  path.split(/(?<!\\)\./).map((name) => name.replaceAll('\\.', '.'));

/** Only what a path leads to; undefined when nothing does. */
function keep(value: JsonValue, paths: readonly Path[]): JsonValue | undefined {
  if (isJsonArray(value)) {
    const kept = value.map((item) => keep(item, paths)).filter((item) => item !== undefined);
    return kept.length === 0 ? undefined : kept;
  }
  if (!isJsonObject(value)) return undefined;
  const members = Object.entries(value).flatMap(([name, member]) => {
    const below = paths.flatMap((path) => step(path, name));
    const kept = below.some(isEnd) ? member : below.length > 0 ? keep(member, below) : undefined;
    return kept === undefined ? [] : [[name, kept] as const];
  });
  return members.length === 0 ? undefined : Object.fromEntries(members);
}

/** All but what a path leads to. */
function drop(value: JsonValue, paths: readonly Path[]): JsonValue {
  if (isJsonArray(value)) return value.map((item) => drop(item, paths));
  if (!isJsonObject(value)) return value;
  return Object.fromEntries(
    Object.entries(value).flatMap(([name, member]) => {
      const below = paths.flatMap((path) => step(path, name));
      return below.some(isEnd) ? [] : [[name, drop(member, below)] as const];
    }),
  );
}

const isEnd = (path: Path): boolean => path.length === 0;

/** What is left of a path below a member of that name; empty: the member is what it leads to. */
function step([first, ...rest]: Path, name: string): readonly Path[] {
  if (first === undefined) return [];
  if (first !== '**') return matches(first, name) ? [rest] : [];
  return rest.length === 0 ? [[]] : [[first, ...rest], ...step(rest, name)];
}

function matches(pattern: string, name: string): boolean {
  if (!pattern.includes('*')) return pattern === name;
  const escaped = pattern.split(/\*+/).map((part) => part.replaceAll(/[.+?^${}()|[\]\\]/g, '\\$&'));
  return new RegExp(`^${escaped.join('.*')}$`, 's').test(name);
}
