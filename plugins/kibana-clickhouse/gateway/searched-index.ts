import { unsupported } from '../common/errors/catalogue';
import { namedIndexes, type ServedIndexes } from './index-expression';

/**
 * The one index in ClickHouse that a search's index expression means; undefined when it names none
 * and belongs to Elasticsearch. A list or pattern that names one of ours is refused: the index pattern
 * must equal the table's name.
 */
export function searchedIndex(expression: string, served: ServedIndexes): string | undefined {
  if (served.has(expression)) return expression;
  const named = [...namedIndexes(expression, served)].sort();
  if (named.length === 0) return undefined;
  const names = named.map((name) => `[${name}]`).join(', ');
  throw unsupported(
    `a search over [${expression}], which names ${names} in ClickHouse: use one data view (index pattern) for each table, with exactly the table's name`,
  );
}
