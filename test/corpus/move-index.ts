import { type JsonObject, isJsonArray } from '../../plugins/kibana-clickhouse/common/json/json';
import { stringOf } from '../../plugins/kibana-clickhouse/search/values/field-value';
import type { CorpusRequest } from './corpus-request';

/** Tells which dataset stands for the indexes that an expression names. */
export type Placing = (expression: string) => string;

/**
 * Names that stay: another cluster's, everything, and hidden ones. They belong to Elasticsearch, whatever is served from
 * ClickHouse.
 */
const belongsToElasticsearch = (expression: string): boolean =>
  expression
    .split(',')
    .some((part) => part.includes(':') || part.startsWith('.') || ['*', '_all'].includes(part));

const moved = (expression: string, place: Placing): string =>
  belongsToElasticsearch(expression) ? expression : place(expression);

/**
 * The path of a request with its index names moved onto datasets. What `_resolve/index` asks for is a pattern as typed by a
 * person, so only the names in it become shorter: `logs-*` is `logs*`.
 */
export function movedPath({ path }: CorpusRequest, place: Placing): string {
  if (path.startsWith('/_resolve/index/')) return path.replaceAll('logs-', 'logs');
  const [, first = '', rest = ''] = /^\/([^/]*(?:\/d\}>)?)(.*)$/.exec(path) ?? [];
  // recorded with a variable that was empty
  if (path === '/_async_search/_async_search') return `/${place('')}/_async_search`;
  if (first === '' || first.startsWith('_')) return path;
  return `/${moved(first, place)}${rest}`;
}

/** The lines of an `_msearch` with the index of every header moved; a header without one gets one. */
export const movedLines = (lines: readonly JsonObject[], place: Placing): readonly JsonObject[] =>
  lines.map((line, i) => (i % 2 === 1 ? line : { ...line, index: indexOf(line, place) }));

function indexOf({ index }: JsonObject, place: Placing): string {
  const names =
    index !== undefined && isJsonArray(index) ? index.map(stringOf) : [stringOf(index ?? '')];
  return moved(names.join(','), place);
}
