import { Type, type Static, type TSchema } from '@sinclair/typebox';

const record = <T extends Readonly<Record<string, TSchema>>>(properties: T) =>
  Type.Object(properties, { additionalProperties: false });

const indexList = (description: string) =>
  Type.Array(Type.String({ minLength: 1, maxLength: 255, pattern: '^[^\\s,*]+$' }), {
    description,
    default: [],
    maxItems: 10_000,
  });

const pool = (description: string) =>
  record({
    coreSize: Type.Integer({
      description: `${description}: statements that run at once.`,
      default: 4,
      minimum: 1,
      maximum: 1_000,
    }),
    queueSize: Type.Integer({
      description: `${description}: statements that wait; one more is refused with 429.`,
      default: 10_000,
      minimum: 0,
      maximum: 1_000_000,
    }),
  });

const query = record({
  sampleIndexPatterns: indexList('Indexes for which sampling is enabled.'),
  sampleCountMaxThreshold: Type.Integer({
    description: 'Rows. Sampling starts when more rows match than this; 0 turns it off.',
    default: 1_500_000,
    minimum: 0,
    maximum: Number.MAX_SAFE_INTEGER,
  }),
  useCache: Type.Boolean({ description: 'Keeps results and answers from them.', default: false }),
  maxResultRow: Type.Integer({
    description: 'Rows that one statement may return; a search that needs more is refused.',
    default: 100_000,
    minimum: 1,
    maximum: 10_000_000,
  }),
});

const es = record({
  host: Type.String({
    description:
      'Addresses of the metadata cluster, separated by commas. Empty: those of metadata_config.hosts.',
    default: '',
    maxLength: 8_192,
  }),
  headers: Type.Record(Type.String(), Type.String({ maxLength: 8_192 }), {
    description: "Headers of the plugin's own requests to the metadata cluster.",
    default: {},
  }),
});

const ck = record({
  url: Type.String({
    description: "Address of ClickHouse's HTTP interface: host:port, or an http(s):// URL.",
    default: 'localhost:8123',
    minLength: 1,
    maxLength: 2_048,
  }),
  user: Type.String({ description: 'ClickHouse user.', default: 'default', maxLength: 255 }),
  pass: Type.String({
    description: 'Password of the ClickHouse user; empty for none.',
    default: '',
    maxLength: 4_096,
  }),
  defaultCkDatabase: Type.String({
    description: 'Database in which the table of an index is looked up.',
    default: 'default',
    minLength: 1,
    maxLength: 255,
  }),
});

const textSearch = Type.Union([Type.Literal('contains'), Type.Literal('tokens')], {
  description:
    'How a text field is searched: contains, case-insensitive substrings; tokens, the words of the standard analyzer.',
  default: 'contains',
});

const proxy = record({
  roundAbleMinPeriod: Type.Integer({
    description: 'ms. Times are rounded only in searches over a span longer than this.',
    default: 120_000,
    minimum: 0,
    maximum: Number.MAX_SAFE_INTEGER,
  }),
  round: Type.Integer({
    description:
      'Both bounds of a time range are rounded down to a multiple of this. 0: off; 1 to 999: seconds; 1,000 to 3,600,000: milliseconds in whole seconds.',
    default: 0,
    minimum: 0,
    maximum: 3_600_000,
  }),
  maxTimeRange: Type.Integer({
    description: 'ms. A search over a longer span is refused; 0: unlimited.',
    default: 0,
    minimum: 0,
    maximum: Number.MAX_SAFE_INTEGER,
  }),
  enableMonitoring: Type.Boolean({
    description: 'Records every statement in the index proxy-monitor.',
    default: false,
  }),
  monitorRetentionDays: Type.Integer({
    description: 'Days. Older indexes of monitoring records are deleted.',
    default: 7,
    minimum: 1,
    maximum: 3_650,
  }),
  enableBlackList: Type.Boolean({
    description: 'Refuses searches that an entry of the query blacklist matches.',
    default: true,
  }),
  defaultTimeFieldName: Type.String({
    description:
      'Time field where a rule needs one and the search names none. Empty: the first Date column of the sorting key, else the first candidate.',
    default: '',
    maxLength: 255,
  }),
  textSearch,
  whiteIndexList: indexList('Indexes that are answered from ClickHouse.'),
  blackIndexList: indexList('Indexes that are not, even though whiteIndexList names them.'),
  es,
  ck,
});

const table = Type.Partial(
  record({
    timeField: Type.String({ minLength: 1, maxLength: 255 }),
    textSearch: Type.Union([Type.Literal('contains'), Type.Literal('tokens')]),
    idColumns: Type.Array(Type.String({ minLength: 1, maxLength: 255 }), {
      minItems: 1,
      maxItems: 64,
    }),
    emptyIsMissing: Type.Boolean(),
    maxTimeRange: Type.Integer({ minimum: 0, maximum: Number.MAX_SAFE_INTEGER }),
    maxExecutionMs: Type.Integer({ minimum: 1, maximum: 3_600_000 }),
    maxMemoryBytes: Type.Integer({ minimum: 1, maximum: Number.MAX_SAFE_INTEGER }),
    maxReadRows: Type.Integer({ minimum: 1, maximum: Number.MAX_SAFE_INTEGER }),
  }),
);

/**
 * All settings, by the specification's groups and names: what kong.yml gives in `settings`, what the
 * administration endpoints set, and what is in force. Every field has its description, default,
 * bounds and unit here and nowhere else.
 */
export const settingsSchema = record({
  query,
  proxy,
  threadPool: record({
    msearchProperty: pool('Statements of _msearch'),
    commonProperty: pool('Statements of all other searches'),
  }),
  defaultShard: Type.Integer({
    description: 'Shards of the system indexes when they are created.',
    default: 2,
    minimum: 1,
    maximum: 1_024,
  }),
  /** Options of one table, by the index's name. */
  tables: Type.Record(Type.String({ minLength: 1, maxLength: 255 }), table, { default: {} }),
});

/** The settings in force: complete. */
export type Settings = Static<typeof settingsSchema>;

/** Options of one table; what is absent follows the global setting. */
export type TableSettings = Static<typeof table>;

/** A part of the settings: every group and field may be absent. */
export type PartialSettings = DeepPartial<Settings>;

type DeepPartial<T> = T extends readonly unknown[]
  ? T
  : T extends object
    ? { readonly [K in keyof T]?: DeepPartial<T[K]> }
    : T;
