import { storeUnavailable } from '../../common/errors/catalogue';
import type { ElasticsearchError } from '../../common/errors/elasticsearch-error';
import {
  createElasticsearchClient,
  elasticsearchProblem,
  type ElasticsearchClient,
} from '../elasticsearch-client';
import type { SettingsStore, StoredSettings, StoreState } from './settings-store';

interface ElasticsearchStoreOptions {
  /** As in `metadata_config.hosts`; at least one. */
  readonly hosts: readonly string[];
  /** Of the plugin's own requests. */
  readonly headers: Readonly<Record<string, string>>;
  /** PEM. */
  readonly ca?: string;
  readonly index: string;
  /** Of the index, when it is created. */
  readonly shards: () => number;
}

/** The one document. The index may hold those of others. */
const DOCUMENT = 'kibana-clickhouse';
/** Of one host of several, in ms: within the time of one call the next host can still answer. */
const HOST_TIMEOUT_MS = 2_000;
/** Of the only host, in ms: the signal of a call ends it earlier. */
const ONLY_HOST_TIMEOUT_MS = 30_000;

/**
 * The overlay is text in `value`, so that Elasticsearch makes no fields of the names in it. These are
 * the field names of an index that was made by others before, too.
 */
const MAPPINGS = {
  dynamic: false,
  properties: {
    key: { type: 'keyword' },
    timestamp: { type: 'date' },
    value: { type: 'text', index: false },
  },
} as const;

/** Which state of the document was read: `if_seq_no` and `if_primary_term` of the next write. */
interface Token {
  readonly seqNo: number;
  readonly primaryTerm: number;
}

/**
 * Keeps the settings as one document of an index in Elasticsearch (7.10 to 9) or OpenSearch. The
 * index is made by the first write. Throws an `ElasticsearchError` (500) for an address it cannot
 * read.
 */
export function createElasticsearchStore(options: ElasticsearchStoreOptions): SettingsStore {
  const { hosts, headers, ca, index, shards } = options;
  const client = createElasticsearchClient({
    hosts,
    headers,
    ...(ca !== undefined && { ca }),
    requestTimeoutMs: hosts.length > 1 ? HOST_TIMEOUT_MS : ONLY_HOST_TIMEOUT_MS,
    // A write that is made twice finds a newer version.
    retryOnTimeout: true,
  });
  const place: Place = { client, index };
  return {
    kind: 'elasticsearch',
    read: (signal) => read(place, signal),
    async write(next, before, signal) {
      if (before.token === undefined) await createIndex(place, shards(), signal);
      return writeDocument(place, { next, token: before.token as Token | undefined }, signal);
    },
    close: () => client.close(),
  };
}

interface Place {
  readonly client: ElasticsearchClient;
  readonly index: string;
}

async function read(place: Place, signal: AbortSignal): Promise<StoreState> {
  const document = await readDocument(place, signal);
  if (!document) return { stored: undefined, token: undefined };
  const { _source, _seq_no: seqNo, _primary_term: primaryTerm } = document;
  return { stored: parsed(_source, place.index), token: { seqNo, primaryTerm } };
}

type ReadDocument = Awaited<ReturnType<ElasticsearchClient['get']>>;

/** Undefined where there is no such index or no such document. */
async function readDocument(
  { client, index }: Place,
  signal: AbortSignal,
): Promise<ReadDocument | undefined> {
  try {
    return await client.get({ index, id: DOCUMENT }, { signal });
  } catch (error) {
    if (elasticsearchProblem(error).status === 404) return undefined;
    throw unavailable(`the index ${index} cannot be read`, error);
  }
}

function parsed(source: unknown, index: string): StoredSettings {
  const { value } = (source ?? {}) as { readonly value?: unknown };
  const content: unknown = typeof value === 'string' ? parsedJson(value) : undefined;
  if (typeof content === 'object' && content !== null && 'version' in content) {
    const { version, overlay } = content as StoredSettings;
    if (Number.isSafeInteger(version)) return { version, overlay };
  }
  throw storeUnavailable(
    `[kibana-clickhouse] the document ${DOCUMENT} of the index ${index} does not hold stored settings`,
  );
}

function parsedJson(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return undefined;
  }
}

async function createIndex(
  { client, index }: Place,
  shards: number,
  signal: AbortSignal,
): Promise<void> {
  try {
    const settings = { number_of_shards: shards, auto_expand_replicas: '0-1' };
    await client.indices.create({ index, settings, mappings: MAPPINGS }, { signal });
  } catch (error) {
    if (elasticsearchProblem(error).type === 'resource_already_exists_exception') return;
    throw unavailable(`the index ${index} cannot be created`, error);
  }
}

interface Write {
  readonly next: StoredSettings;
  /** Undefined: the document must not be there. */
  readonly token: Token | undefined;
}

async function writeDocument(
  { client, index }: Place,
  { next, token }: Write,
  signal: AbortSignal,
): Promise<boolean> {
  const document = {
    key: DOCUMENT,
    timestamp: new Date().toISOString(),
    value: JSON.stringify(next),
  };
  const unchanged = token
    ? { if_seq_no: token.seqNo, if_primary_term: token.primaryTerm }
    : { op_type: 'create' as const };
  try {
    await client.index({ index, id: DOCUMENT, document, ...unchanged }, { signal });
    return true;
  } catch (error) {
    if (elasticsearchProblem(error).status === 409) return false;
    throw unavailable(`the index ${index} cannot be written`, error);
  }
}

/** What to do about the answers that Elasticsearch gives most. */
const HINTS: Readonly<Record<string, string>> = {
  cluster_block_exception: 'the index or the cluster is read-only',
  security_exception: 'metadata_config.headers must hold the right to read and write it',
};

function unavailable(what: string, error: unknown): ElasticsearchError {
  const { reason, type = '' } = elasticsearchProblem(error);
  const hint = HINTS[type] === undefined ? '' : ` (${HINTS[type]})`;
  return storeUnavailable(`[kibana-clickhouse] ${what}: ${reason}${hint}`, error);
}
