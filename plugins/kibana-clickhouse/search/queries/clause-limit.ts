import { failedQuery } from '../../common/errors/catalogue';

/** `indices.query.bool.max_clause_count` of Elasticsearch 7.17; each word of a text is a clause, too. */
const maximumClauses = 1024;

/** Throws Elasticsearch's error for more than 1,024 clauses in one query. */
export function requireClauseCount(count: number): void {
  if (count > maximumClauses)
    throw failedQuery(`maxClauseCount is set to ${String(maximumClauses)}`, 'too_many_clauses');
}
