/**
 * One statement as the monitor records it: a document of `proxy-monitor`. Times are epoch ms, durations
 * ms. What is not known is absent: a failed statement has no counts, an unlimited search no `range`.
 */
export interface MonitorRecord {
  /** When the record was made. */
  readonly timestamp: number;
  /** The name by which the index was searched. */
  readonly index: string;
  /** `database.table` */
  readonly table: string;
  /** Whom Kong has authenticated. */
  readonly consumer?: string;
  /** `x-opaque-id` of the request. */
  readonly opaqueId?: string;
  /** Kibana's application, dashboard id and panel id, out of `opaqueId`. */
  readonly application?: string;
  readonly dashboard?: string;
  readonly panel?: string;
  /** The statement with its values in their places. */
  readonly sql: string;
  /** The fingerprint: table and condition without the time range, as an entry of the blacklist takes it. */
  readonly key: string;
  readonly fingerprint: string;
  /** Length of the search's time range. */
  readonly range?: number;
  /** When the statement was sent, and when ClickHouse had answered. */
  readonly startTime: number;
  readonly endTime: number;
  /** `endTime` less `startTime`. */
  readonly cost: number;
  /** What ClickHouse says that it read, used at the peak, and gave. */
  readonly readRows?: number;
  readonly readBytes?: number;
  readonly memory?: number;
  readonly resultRows?: number;
  /** Part of the rows that was read: 1 where all were. */
  readonly samplingRate: number;
  /** Whether the answer was known and ClickHouse not asked. */
  readonly cacheHit: boolean;
  readonly error?: { readonly type: string; readonly reason: string };
}

/** Lucene takes terms up to 32,766 bytes; a character may need four of them. */
const LONGEST_TERM = 8_191;

const keyword = { type: 'keyword', ignore_above: LONGEST_TERM } as const;
const text = { type: 'text', fields: { keyword } } as const;
const date = { type: 'date' } as const;
const long = { type: 'long' } as const;

/** Mapping of `proxy-monitor-<yyyy.MM.dd>`: a field for each of the record's, no others. */
export const monitorMapping = {
  dynamic: false,
  properties: {
    timestamp: date,
    index: keyword,
    table: keyword,
    consumer: keyword,
    opaqueId: keyword,
    application: keyword,
    dashboard: keyword,
    panel: keyword,
    sql: text,
    key: keyword,
    fingerprint: keyword,
    range: long,
    startTime: date,
    endTime: date,
    cost: long,
    readRows: long,
    readBytes: long,
    memory: long,
    resultRows: long,
    samplingRate: { type: 'double' },
    cacheHit: { type: 'boolean' },
    error: { properties: { type: keyword, reason: text } },
  },
} as const;
