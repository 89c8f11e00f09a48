/** A part of an answer that is not compared. */
export interface Ignored {
  /** Member names from the top, `*` for any one name or position, `**` for any number of them, `_*` for the rest of a name. */
  readonly path: string;
  readonly reason: string;
}

/** What two right answers to one request may differ in. The only list of its kind. */
export const ignored: readonly Ignored[] = [
  { path: '**.took', reason: 'time, in ms' },
  { path: '**._shards', reason: 'a table has no shards; errors of shards are compared as errors' },
  {
    path: '**.hits.*._type',
    reason: 'Elasticsearch 8 has none; a version that is not known gets its shape',
  },
  { path: '**.index_uuid', reason: 'made by chance when an index is created' },
  { path: '**.failed_shards.*.node', reason: 'name of a node; the product has none' },
  {
    path: '**.error.caused_by',
    reason: 'repeats a cause; root_cause, which clients show, is compared',
  },
  { path: '**.error.failed_shards', reason: 'repeats root_cause for each shard; a table has one' },
  { path: '**.root_cause.*.index', reason: 'Elasticsearch names it for some kinds of causes only' },
  { path: '**.line', reason: 'place in a text that the product parses in another way' },
  { path: '**.col', reason: 'place in a text that the product parses in another way' },
  { path: '**.hits.*.fields.*.folded', reason: 'twin of a text field that only the judge has' },
  { path: 'fields.*.folded', reason: 'twin of a text field that only the judge has' },
];

/**
 * Whether a pattern takes a path. A name with dots in it is one name of the path, yet patterns end in
 * `.folded` for `message.folded`.
 */
export function matchesPath(pattern: string, path: readonly string[]): boolean {
  return expression(pattern).test(path.join('.'));
}

const known = new Map<string, RegExp>();

function expression(pattern: string): RegExp {
  const found = known.get(pattern);
  if (found !== undefined) return found;
  const body = pattern
    .split('.')
    .map((part) => {
      if (part === '**') return '(?:.*)';
      const escaped = part.replaceAll(/[$()+?[\\\]^{|}]/g, String.raw`\$&`);
      return part === '*' ? '.+?' : escaped.replaceAll('*', '[^.]*');
    })
    .join('\\.')
    .replaceAll(String.raw`(?:.*)\.`, String.raw`(?:.*\.)?`);
  const made = new RegExp(`^${body}$`, 's');
  known.set(pattern, made);
  return made;
}
