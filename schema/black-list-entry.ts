/** An entry of the query blacklist: a document of `proxy-black-list`, its id aside. */
export interface StoredBlackListEntry {
  /** ms. Searches over a time range of at least this length are refused; 0: all, whatever their range. */
  readonly range: number;
  /** The fingerprint that is refused; any other text is kept and matches nothing. */
  readonly sql: string;
  /** Epoch ms. */
  readonly createdAt: number;
  /** Epoch ms of the last search that was refused; absent when none was. */
  readonly lastMatchedAt?: number;
}

/** An entry with its id, which follows from range and text: the same entry twice is one. */
export interface BlackListEntry extends StoredBlackListEntry {
  readonly id: string;
}

/** Longest `sql` of an entry, in characters. */
export const LONGEST_BLACK_LIST_SQL = 1_000_000;
/** Entries at most. */
export const MAX_BLACK_LIST_ENTRIES = 10_000;

/** Mapping of `proxy-black-list`. Entries are read whole, nothing is searched for in their texts. */
export const blackListMapping = {
  dynamic: false,
  properties: {
    range: { type: 'long' },
    sql: { type: 'keyword', index: false, doc_values: false },
    createdAt: { type: 'date' },
    lastMatchedAt: { type: 'date' },
  },
} as const;
