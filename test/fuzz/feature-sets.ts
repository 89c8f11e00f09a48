import { byScenariosAlone, claims } from './claims';

/** Clauses and aggregations that a run asks for, by their claims: `query.term`, `aggregation.avg`. Undefined: all. */
export type FeatureSet = ReadonlySet<string> | undefined;

/**
 * What a dashboard of counts and means over filters asks for, with hits: the core that every other clause and aggregation
 * is added to.
 */
const first: readonly string[] = [
  ...['match_all', 'match_none', 'bool', 'range', 'term', 'terms', 'exists', 'constant_score'].map(
    (name) => `query.${name}`,
  ),
  ...['date_histogram', 'terms', 'avg'].map((name) => `aggregation.${name}`),
];

/**
 * Left out of `clean`, what every test run compares: query strings may differ in the reasons of syntax errors and in the
 * scores of what they only negate. Their scenarios compare the rest; random searches with them run by `--features all`.
 */
const unsettled: readonly string[] = ['query.query_string', 'query.simple_query_string'];

/** `query.<name>` and `aggregation.<name>`: a claim without its options. */
const isName = (claim: string): boolean => /^(?:query|aggregation)\.[a-z_]+$/.test(claim);

const known: readonly string[] = [...claims, ...byScenariosAlone].filter(isName);

const named: Readonly<Record<string, readonly string[]>> = {
  first,
  clean: known.filter((name) => !unsettled.includes(name)),
};

/**
 * `first`, `clean`, `all`, or names with commas between them (`query.term,aggregation.terms`). Options of what is asked for come
 * with it, and so do all keys of a search. Throws an Error that names what nobody claims.
 */
export function featureSet(text: string): FeatureSet {
  if (text === 'all') return undefined;
  const names = text.split(',').flatMap((name) => named[name] ?? [name.trim()]);
  const unknown = names.filter((name) => !known.includes(name));
  if (unknown.length > 0) throw new Error(`no claim of random searches: ${unknown.join(', ')}`);
  return new Set(names);
}

/** The claims that a run with these features has to prove. */
export function claimsOf(features: FeatureSet): readonly string[] {
  if (features === undefined) return claims;
  return claims.filter((claim) => {
    const [, name] = /^((?:query|aggregation)\.[a-z_]+)/.exec(claim) ?? [];
    return name === undefined || name === 'aggregation.meta' || features.has(name);
  });
}
