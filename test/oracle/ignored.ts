/** A part of an answer that is not compared. */
export interface Ignored {
  /** Member names from the top, `*` for any one name or position, `**` for any number of them, `_*` for the rest of a name. */
  readonly path: string;
  readonly reason: string;
}

/** Where a search answer stands: the whole body, an item of an `_msearch`, the `response` of an `_async_search`. */
const searchAnswers = ['', 'responses.*.', 'response.'] as const;

const inSearchAnswer = (path: string, reason: string): readonly Ignored[] =>
  searchAnswers.map((place) => ({ path: `${place}${path}`, reason }));

/** What two right answers to one request may differ in. The only list of its kind. */
export const ignored: readonly Ignored[] = [
  ...inSearchAnswer('took', 'time, in ms'),
  ...inSearchAnswer('_shards', 'a table has no shards; errors of shards are compared as errors'),
  {
    path: '**.hits.*._type',
    reason: 'Elasticsearch 8 has none; a version that is not known gets its shape',
  },
  { path: '_type', reason: 'of a document; Elasticsearch 8 has none' },
  { path: 'docs.*._type', reason: 'of a document; Elasticsearch 8 has none' },
  { path: 'fields._type', reason: 'in _field_caps of Elasticsearch 7 only' },
  { path: 'fields._id._id.aggregatable', reason: 'true in Elasticsearch 7, false in 8' },
  ...inSearchAnswer('error.**.index_uuid', 'made by chance when an index is created'),
  ...inSearchAnswer('error.failed_shards.*.node', 'name of a node; the product has none'),
  ...inSearchAnswer('error.**.line', 'place in a text that the product parses in another way'),
  ...inSearchAnswer('error.**.col', 'place in a text that the product parses in another way'),
  { path: '**.hits.*.fields.*folded', reason: 'twin of a text field that only the judge has' },
  { path: 'fields.*folded', reason: 'twin of a text field that only the judge has' },
];

/** A member of a search answer that only the product has. */
export interface OwnMember {
  readonly name: string;
  readonly type: 'boolean' | 'number';
  readonly reason: string;
}

/** What the product adds to a search answer, at its top. The judge has none of it. */
export const ownMembers: readonly OwnMember[] = [
  { name: 'sampling', type: 'number', reason: 'the part of the rows that was read' },
  { name: 'cache', type: 'boolean', reason: 'whether the answer came from the cache' },
];

/** Whether a path is that of a whole search answer, of which members are named without one before them. */
export const isSearchAnswer = (path: readonly string[]): boolean =>
  searchAnswers.some((place) => matchesPath(place.replace(/\.$/, ''), path));

/** Whether a pattern takes a path. A name with dots in it is one name of the path: `*folded` takes `message.folded`. */
export function matchesPath(pattern: string, path: readonly string[]): boolean {
  return matchesNames(pattern === '' ? [] : pattern.split('.'), path);
}

function matchesNames(parts: readonly string[], path: readonly string[]): boolean {
  const [part, ...others] = parts;
  const [name, ...below] = path;
  if (part === undefined) return name === undefined;
  if (part === '**')
    return others.length === 0
      ? name !== undefined
      : path.some((_, from) => matchesNames(others, path.slice(from)));
  return name !== undefined && expression(part).test(name) && matchesNames(others, below);
}

const known = new Map<string, RegExp>();

function expression(part: string): RegExp {
  const found = known.get(part);
  if (found !== undefined) return found;
  const escaped = part.replaceAll(/[$()+.?[\\\]^{|}]/g, String.raw`\$&`);
  const made = new RegExp(`^${escaped.replaceAll('*', '.*')}$`, 's');
  known.set(part, made);
  return made;
}
