/** What a row of the page is about. */
export type EntryKind = 'endpoint' | 'search key' | 'query' | 'aggregation';
