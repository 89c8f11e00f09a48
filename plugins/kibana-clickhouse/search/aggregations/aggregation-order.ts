import { parsingError } from '../../common/errors/catalogue';
import { isJsonArray, isJsonObject, type JsonValue } from '../../common/json/json';
import type { LevelOrder } from './definition';

type Direction = LevelOrder['direction'];

/** `_term` and `_time` are the old names of `_key`. */
const keyNames = ['_key', '_term', '_time'];

/**
 * The option `order` of a bucket aggregation: `{"_count": "desc"}`, `{"1.value": "asc"}`, or an array
 * of these. Ties always end by ascending key. Throws Elasticsearch's errors for other shapes.
 */
export function parseOrder(
  value: JsonValue | undefined,
  standard: readonly LevelOrder[],
): readonly LevelOrder[] {
  if (value === undefined) return standard;
  const items = isJsonArray(value) ? value : [value];
  const order = items.map(parseItem);
  return order.some(({ by }) => by === 'key') ? order : [...order, { by: 'key', direction: 'ASC' }];
}

function parseItem(item: JsonValue): LevelOrder {
  const entries = isJsonObject(item) ? Object.entries(item) : [];
  const [first, second] = entries;
  if (first === undefined || second !== undefined)
    throw parsingError('Must specify at least one field for [order]');
  const [path, word] = first;
  const direction = parseDirection(word);
  if (path === '_count') return { by: 'count', direction };
  if (keyNames.includes(path)) return { by: 'key', direction };
  return metricOrder(path, direction);
}

function parseDirection(word: JsonValue): Direction {
  const lower = typeof word === 'string' ? word.toLowerCase() : undefined;
  if (lower === 'asc') return 'ASC';
  if (lower === 'desc') return 'DESC';
  throw parsingError(`Unknown order direction [${lower ?? typeof word}]`);
}

/** `name`, `name.metric` (the last dot separates), `name[metric]`; before it `single>bucket>`. */
function metricOrder(text: string, direction: Direction): LevelOrder {
  const through = text.split('>');
  const last = through.pop() ?? '';
  const bracketed = /^(.+)\[(.+)\]$/s.exec(last);
  const dot = last.lastIndexOf('.');
  const [aggregation = last, path = ''] = bracketed
    ? bracketed.slice(1)
    : dot > 0
      ? [last.slice(0, dot), last.slice(dot + 1)]
      : [last];
  return { by: 'metric', through, aggregation, path, text, direction };
}
