import { ElasticsearchError } from '../../common/errors/elasticsearch-error';
import { illegalArgument, parsingError } from '../../common/errors/catalogue';
import { isJsonArray, isJsonObject, type JsonObject, type JsonValue } from '../../common/json/json';
import { parseJson } from '../../common/json/parse-json';

/** One search of an `_msearch`. */
export interface MsearchItem {
  /** Index expression; undefined: no index is named, or one that no index can have. */
  readonly expression: string | undefined;
  readonly searchType: string | undefined;
  /** What the header says about the names of the expression, as a query string would. */
  readonly options: ReadonlyMap<string, string>;
  /** The body's line, without its line feed. */
  readonly body: Buffer;
  /** Both lines as they came, line feeds included. */
  readonly pair: Buffer;
}

export interface Msearch {
  readonly items: readonly MsearchItem[];
  /** Why Elasticsearch refuses the request as a whole; undefined: it does not. */
  readonly problem: ElasticsearchError | undefined;
}

const LINE_FEED = 0x0a;

/**
 * Splits the lines of an `_msearch` into pairs of header and body, the bytes untouched. Reads on
 * behind a problem: whose the request is must be known, even if it cannot be answered. A last header
 * without a body is dropped and a first empty line skipped (Elasticsearch 7.17, `MultiSearchRequest`).
 */
export function readMsearch(body: Buffer, pathIndex: string | undefined): Msearch {
  const lines = splitLines(body);
  const isTerminated = body.length === 0 || body[body.length - 1] === LINE_FEED;
  const items: MsearchItem[] = [];
  const problems: ElasticsearchError[] = isTerminated ? [] : [notTerminated()];
  for (let i = 0; i < lines.length; i += 2) {
    const [header, search] = [lines[i], lines[i + 1]];
    if (!header || (!search && isTerminated)) break;
    const end = search?.end ?? header.end;
    try {
      items.push({
        ...readHeader(body.subarray(header.at, header.end), pathIndex),
        body: search ? body.subarray(search.at, search.end) : EMPTY,
        pair: body.subarray(header.at, end + 1),
      });
    } catch (error) {
      if (!(error instanceof ElasticsearchError)) throw error;
      problems.push(error);
    }
  }
  return { items, problem: problems[0] };
}

interface Line {
  readonly at: number;
  /** Position of the line feed, or of the body's end. */
  readonly end: number;
}

function splitLines(body: Buffer): readonly Line[] {
  const lines: Line[] = [];
  let at = body[0] === LINE_FEED ? 1 : 0;
  while (at < body.length) {
    const found = body.indexOf(LINE_FEED, at);
    const end = found < 0 ? body.length : found;
    lines.push({ at, end });
    at = end + 1;
  }
  return lines;
}

const EMPTY = Buffer.alloc(0);

const notTerminated = (): ElasticsearchError =>
  illegalArgument('The msearch request must be terminated by a newline [\n]');

/** Options of a search's header (Elasticsearch 7.17 to 9); those not read here change no answer. */
const HEADER_KEYS: ReadonlySet<string> = new Set([
  'allow_no_indices',
  'allow_partial_search_results',
  'allowNoIndices',
  'ccs_minimize_roundtrips',
  'ccsMinimizeRoundtrips',
  'expand_wildcards',
  'expandWildcards',
  'ignore_throttled',
  'ignore_unavailable',
  'ignoreThrottled',
  'ignoreUnavailable',
  'index',
  'indices',
  'preference',
  'project_routing',
  'request_cache',
  'requestCache',
  'routing',
  'search_type',
  'searchType',
  'type',
  'types',
]);

type Header = Pick<MsearchItem, 'expression' | 'options' | 'searchType'>;

function readHeader(line: Buffer, pathIndex: string | undefined): Header {
  const text = line.toString().trim();
  if (text === '') return { expression: pathIndex, searchType: undefined, options: new Map() };
  const header = parseJson(text);
  if (!isJsonObject(header))
    throw parsingError('Expected [START_OBJECT] as the header of a search');
  const unknown = Object.keys(header).find((key) => !HEADER_KEYS.has(key));
  if (unknown !== undefined)
    throw illegalArgument(`key [${unknown}] is not supported in the metadata section`);
  return {
    expression: expressionOf(header, pathIndex),
    searchType: searchTypeOf(header),
    options: optionsOf(header),
  };
}

/** Options of an index expression, and how else they are spelled. */
const INDICES_OPTIONS: readonly (readonly [string, string])[] = [
  ['allow_no_indices', 'allowNoIndices'],
  ['expand_wildcards', 'expandWildcards'],
  ['ignore_unavailable', 'ignoreUnavailable'],
];

function optionsOf(header: JsonObject): ReadonlyMap<string, string> {
  return new Map(
    INDICES_OPTIONS.flatMap(([name, other]) => {
      const value = header[name] ?? header[other] ?? undefined;
      if (value === undefined) return [];
      const text = isJsonArray(value) ? value.map(textOf).join(',') : textOf(value);
      return [[name, text] as const];
    }),
  );
}

function expressionOf(header: JsonObject, pathIndex: string | undefined): string | undefined {
  const index = header['index'] ?? header['indices'] ?? undefined;
  if (index === undefined) return pathIndex;
  if (!isJsonArray(index)) return textOf(index);
  const names = index.map(textOf);
  // In a list each entry is one name: no index has a comma in its own.
  return names.length === 0 || names.some((name) => name.includes(','))
    ? undefined
    : names.join(',');
}

function searchTypeOf(header: JsonObject): string | undefined {
  const type = header['search_type'] ?? header['searchType'] ?? undefined;
  return type === undefined ? undefined : textOf(type);
}

function textOf(value: JsonValue): string {
  if (typeof value === 'object')
    throw illegalArgument('an index in the metadata section must be a string or a list of strings');
  return String(value);
}
