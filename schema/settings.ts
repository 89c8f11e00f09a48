import { Type, type Static, type TSchema } from '@sinclair/typebox';

const record = <T extends Readonly<Record<string, TSchema>>>(description: string, properties: T) =>
  Type.Object(properties, { description, additionalProperties: false });

const indexList = (description: string) =>
  Type.Array(Type.String({ minLength: 1, maxLength: 255, pattern: '^[^\\s,*]+$' }), {
    description,
    default: [],
    maxItems: 10_000,
  });

const pool = (description: string) =>
  record(`${description}: how many run and wait.`, {
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

const query = record('Sampling, result cache and the size of results.', {
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
  maxBuckets: Type.Integer({
    description:
      "Buckets that the aggregations of one answer may have together (Elasticsearch's search.max_buckets); more are refused.",
    default: 65_536,
    minimum: 1,
    maximum: 1_000_000,
  }),
  maxExecutionMs: Type.Integer({
    description:
      'ms. Time limit of a statement in ClickHouse; the timeout of a search can only lower it.',
    default: 30_000,
    minimum: 1,
    maximum: 3_600_000,
  }),
  maxMemoryBytes: Type.Integer({
    description:
      "Bytes. Memory that a statement may use in ClickHouse; 0: what the user's profile says.",
    default: 0,
    minimum: 0,
    maximum: Number.MAX_SAFE_INTEGER,
  }),
  maxReadRows: Type.Integer({
    description: "Rows that a statement may read in ClickHouse; 0: what the user's profile says.",
    default: 0,
    minimum: 0,
    maximum: Number.MAX_SAFE_INTEGER,
  }),
});

const es = record('The metadata cluster: Elasticsearch or OpenSearch.', {
  host: Type.String({
    description:
      'Addresses of the metadata cluster, separated by commas. Empty: those of metadata_config.hosts.',
    default: '',
    maxLength: 8_192,
  }),
  headers: Type.Record(
    Type.String({ pattern: "^[!#$%&'*+.^_`|~0-9A-Za-z-]+$" }),
    Type.String({ maxLength: 8_192, pattern: '^[\\t\\x20-\\x7e\\x80-\\xff]*$' }),
    {
      description:
        "Headers of the plugin's own requests to the metadata cluster. Empty, with es.host empty: those of metadata_config.headers.",
      default: {},
      additionalProperties: false,
    },
  ),
});

const ck = record(
  'Connection to ClickHouse, which holds the documents of the whitelisted indexes.',
  {
    url: Type.String({
      description:
        "Address of ClickHouse's HTTP interface: host:port, or an http(s):// URL. Of several, separated by commas, the first one that can be reached is asked.",
      default: 'localhost:8123',
      minLength: 1,
      maxLength: 2_048,
      pattern: '^[^\\s]+$',
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
  },
);

const textSearch = Type.Union([Type.Literal('contains'), Type.Literal('tokens')], {
  description:
    'How a text field is searched: contains, case-insensitive substrings; tokens, the words of the standard analyzer.',
  default: 'contains',
});

const proxy = record(
  'Which indexes are answered from ClickHouse, where it is, and what searches may ask.',
  {
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
      anyOf: [
        { type: 'integer', maximum: 999 },
        { type: 'integer', multipleOf: 1_000 },
      ],
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
    ckibanaSyntax: Type.Boolean({
      description:
        "Understands CKibana's own spellings: field.caseIgnore, field.caseIgnore.keyword, % in texts, field:(a,b).",
      default: false,
    }),
    whiteIndexList: indexList('Indexes that are answered from ClickHouse.'),
    blackIndexList: indexList('Indexes that are not, even though whiteIndexList names them.'),
    es,
    ck,
  },
);

const table = Type.Partial(
  record('Options of one table; what is absent follows the global setting.', {
    timeField: Type.String({
      description: 'Time field where a rule needs one and the search names none.',
      minLength: 1,
      maxLength: 255,
    }),
    textSearch: Type.Union([Type.Literal('contains'), Type.Literal('tokens')], {
      description: 'As proxy.textSearch, for this table.',
    }),
    idColumns: Type.Array(Type.String({ minLength: 1, maxLength: 255 }), {
      description: 'Columns that make a row one document. Absent: all stored columns.',
      minItems: 1,
      maxItems: 64,
    }),
    emptyIsMissing: Type.Boolean({ description: 'An empty string counts as a missing field.' }),
    ckibanaSyntax: Type.Boolean({ description: 'As proxy.ckibanaSyntax, for this table.' }),
    maxTimeRange: Type.Integer({
      description: 'ms. As proxy.maxTimeRange, for this table.',
      minimum: 0,
      maximum: Number.MAX_SAFE_INTEGER,
    }),
    maxExecutionMs: Type.Integer({
      description: 'ms. As query.maxExecutionMs, for this table.',
      minimum: 1,
      maximum: 3_600_000,
    }),
    maxMemoryBytes: Type.Integer({
      description: 'Bytes. As query.maxMemoryBytes, for this table.',
      minimum: 1,
      maximum: Number.MAX_SAFE_INTEGER,
    }),
    maxReadRows: Type.Integer({
      description: 'Rows. As query.maxReadRows, for this table.',
      minimum: 1,
      maximum: Number.MAX_SAFE_INTEGER,
    }),
  }),
);

/**
 * All settings, by the specification's groups and names: what kong.yml gives in `settings`, what the
 * administration endpoints set, and what is in force. Every field has its description, default,
 * bounds and unit here and nowhere else.
 */
export const settingsSchema = record(
  'Start values of the settings, by the names of the administration endpoints.',
  {
    query,
    proxy,
    threadPool: record('Statements that run at once in ClickHouse, and how many wait for that.', {
      msearchProperty: pool('Statements of _msearch'),
      commonProperty: pool('Statements of all other searches'),
    }),
    defaultShard: Type.Integer({
      description: 'Shards of the system indexes when they are created.',
      default: 2,
      minimum: 1,
      maximum: 1_024,
    }),
    tables: Type.Record(Type.String({ pattern: '^[^\\s,*]{1,255}$' }), table, {
      description: 'Options of single tables, by the name of the index.',
      default: {},
      additionalProperties: false,
    }),
  },
);

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
