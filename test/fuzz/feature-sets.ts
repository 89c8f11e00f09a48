import { byScenariosAlone, claims } from './claims';

/** Clauses and aggregations that a run asks for, by their claims: `query.term`, `aggregation.avg`. Undefined: all. */
export type FeatureSet = ReadonlySet<string> | undefined;

/**
 * What a dashboard of counts and means over filters asks for, with hits: the core that every other clause and aggregation
 * is added to. In each of them random searches have found no difference left.
 */
const first: readonly string[] = [
  ...['match_all', 'match_none', 'bool', 'range', 'term', 'terms', 'exists', 'constant_score'].map(
    (name) => `query.${name}`,
  ),
  ...['date_histogram', 'terms', 'avg'].map((name) => `aggregation.${name}`),
];

/** `query.<name>` and `aggregation.<name>`: a claim without its options. */
const isName = (claim: string): boolean => /^(?:query|aggregation)\.[a-z_]+$/.test(claim);

const known: readonly string[] = [...claims, ...byScenariosAlone].filter(isName);

/**
 * `first`, `all`, or names with commas between them (`query.term,aggregation.terms`). Options of what is asked for come
 * with it, and so do all keys of a search. Throws an Error that names what nobody claims.
 */
export function featureSet(text: string): FeatureSet {
  if (text === 'all') return undefined;
  const names = text.split(',').flatMap((name) => (name === 'first' ? first : [name.trim()]));
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
