import type { ServedIndexes } from './index-expression';
import { readNames } from './named-indexes';

/**
 * The index expression of a search that names indexes in ClickHouse, one at least; undefined when it names none and
 * belongs to Elasticsearch. Throws 400 for a date in it that cannot be calculated.
 */
export const searchedIndex = (expression: string, served: ServedIndexes): string | undefined =>
  readNames(expression, served, { query: new Map(), now: Date.now() }) && expression;
