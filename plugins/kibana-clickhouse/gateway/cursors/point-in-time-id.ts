/** Full stops: Elasticsearch's own ids are base64, and never have one. */
const START = 'kch.pit.';

/**
 * The id of a point in time on an index. It says which index, and no more: nothing is frozen or kept, every node can read it, and
 * each search with it is authorised by itself.
 */
export const pointInTimeId = (index: string): string =>
  START + Buffer.from(index).toString('base64url');

/** The index of an id of ours; undefined for all others, which are Elasticsearch's. */
export function indexOfPointInTime(id: string): string | undefined {
  if (!id.startsWith(START)) return undefined;
  const index = Buffer.from(id.slice(START.length), 'base64url').toString();
  return pointInTimeId(index) === id ? index : undefined;
}
