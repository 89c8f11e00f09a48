import type { Table } from '../../clickhouse/catalog/table';
import { asc, column } from '../../clickhouse/sql/build';
import type { OrderBy } from '../../clickhouse/sql/nodes';

/**
 * The order of hits that no sort orders: the sorting key's, as far as it consists of columns. Pages
 * of such a search then follow each other as in Elasticsearch, and ClickHouse reads in that order
 * without sorting.
 */
export function orderOfIndex({ sortingKey, columns }: Table): readonly OrderBy[] {
  const names: string[] = [];
  let rest = sortingKey;
  for (;;) {
    const match = keyColumn.exec(rest);
    if (match === null) break;
    const name = match[2] ?? (match[1] ?? '').replaceAll(/\\(.)/g, '$1');
    if (!columns.some((known) => known.name === name)) break;
    names.push(name);
    rest = rest.slice(match[0].length);
  }
  return names.map((name) => asc(column(name)));
}

/** A column at the start of a key, in backticks or plain, up to the next comma or the end. */
const keyColumn = /^\s*(?:`((?:\\.|[^`\\])*)`|([A-Za-z_]\w*))\s*(?:,|$)/s;
