/* Names of the columns inside a chain's statement. */

/** Which set a row belongs to: ClickHouse's grouping(), see `setMask`. */
export const setName = 'set';
export const keyName = (level: number): string => `key_${String(level)}`;
/** The array of keys of an expanded level, before it becomes rows. */
export const keysName = (level: number): string => `keys_${String(level)}`;
/** The array of nested documents of a level that unfolds them, before they become rows. */
export const elementsName = (level: number): string => `elements_${String(level)}`;
/** Place, from 1 on, of a nested document among those of its row; 0 for the row without them. */
export const placeName = (level: number): string => `place_${String(level)}`;
/** Of each nested document of a row the keys between its level and the one that leads back. */
export const seenName = (level: number): string => `seen_${String(level)}`;
/** How many of the expanded levels, from the first on, a row is expanded for. */
export const openedName = 'opened';
/** Documents of a group. */
export const docsName = 'docs';
export const aggregateName = (index: number): string => `agg_${String(index)}`;
/** Documents of the bucket of a level that a group is in. */
export const levelDocsName = (level: number): string => `docs_${String(level)}`;
/** An aggregate of the bucket of a level that a group is in. */
export const levelValueName = (level: number, aggregate: number): string =>
  `agg_${String(level)}_${String(aggregate)}`;
/** Place of the bucket of a level that a group is in, from 1 on. */
export const rankName = (level: number): string => `rank_${String(level)}`;
/** Documents of a level's background with the key of the bucket of that level that a group is in. */
export const backgroundName = (level: number): string => `background_${String(level)}`;
/** Documents of a level's background. */
export const backgroundTotalName = (level: number): string => `background_total_${String(level)}`;
/** Documents of the root. */
export const rootDocsName = 'docs_root';
/** How many buckets of a level there are under one parent. */
export const bucketsName = (level: number): string => `buckets_${String(level)}`;
/** Documents of all buckets of a level under one parent. */
export const totalName = (level: number): string => `total_${String(level)}`;
