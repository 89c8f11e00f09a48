import { resolve } from 'node:path';
import { type EmbeddedClickHouse, startClickHouse } from '../../dev/clickhouse/embedded';
import { type Gateway, startGateway } from '../../dev/gateway/gateway';
import type { JsonObject } from '../../plugins/kibana-clickhouse/common/json/json';
import { parseJson } from '../../plugins/kibana-clickhouse/common/json/parse-json';
import { writeJson } from '../../plugins/kibana-clickhouse/common/json/write-json';
import { type Dataset, textFieldsOf } from '../datasets/dataset';
import { ask } from '../gateway/client';
import {
  kongConfig,
  pluginConfig,
  pluginsDirectory,
  reader,
  whenAnswered,
} from '../gateway/product';
import { elasticsearch } from '../judge/engines';
import { judgeRequest } from '../judge/request';
import { type EqualRequest, equalRequest } from '../judge/rewrites';
import { type OracleRequest, isAsync, judgedRequest, patientRequest } from './judge-request';
import { loadJudge, loadTable } from './load-dataset';
import { type SqlReader, openSqlReader } from './read-sql';

/** An answer of one of the two servers; `text` keeps every digit. */
export interface OracleAnswer {
  readonly status: number;
  readonly text: string;
}

/** What both servers say to one request. */
export interface BothAnswers {
  readonly request: OracleRequest;
  /** The equal request that the judge was asked. */
  readonly judged: OracleRequest;
  readonly ours: OracleAnswer;
  readonly theirs: OracleAnswer;
  /** Of an `_async_search`: our whole answer, of which `ours` is the `response`. */
  readonly envelope?: JsonObject;
}

/** The whole product beside a real Elasticsearch, both with the same documents. */
export interface Oracle {
  readonly product: { readonly url: string };
  readonly judge: { readonly url: string };
  readonly clickHouse: { readonly url: string };
  /**
   * Asks both; the judge with `theirs`, where a request takes something from its own answer before. Rejects when one of them
   * does not answer at all.
   */
  ask(request: OracleRequest, theirs?: OracleRequest): Promise<BothAnswers>;
  askProduct(request: OracleRequest): Promise<OracleAnswer>;
  askJudge(request: OracleRequest): Promise<OracleAnswer>;
  /** Loads one more dataset into both. Its name must be new: the product remembers tables for a minute. */
  load(dataset: Dataset): Promise<void>;
  /** Removes a dataset from both. */
  remove(dataset: Dataset): Promise<void>;
  /** Our SQL for a search, readable; for others and for what is refused, a line that says so. */
  sql(request: OracleRequest): Promise<string>;
  close(): Promise<void>;
}

interface OracleOptions {
  readonly datasets: readonly Dataset[];
  /** Default: the judge that the jest project's global set-up has started. */
  readonly judgeUrl?: string;
  /** Whether the judge is also the Elasticsearch behind the product, to which goes what is not ours. Default: none is. */
  readonly isBehind?: boolean;
  /** Whether the judge is the metadata cluster, too: then the product asks it which indexes it has. Default: there is none. */
  readonly isAsked?: boolean;
  /** A whitelisted name without a table. Default: `absent`. */
  readonly absent?: string;
}

/** Starts the product with datasets, and loads them into the judge as well. The caller closes it. */
export async function openOracle({
  datasets,
  judgeUrl = process.env[elasticsearch.variable] ?? '',
  isBehind = false,
  isAsked = false,
  absent = 'absent',
}: OracleOptions): Promise<Oracle> {
  const clickHouse = await startClickHouse({ users: [reader] });
  const known = new Map(datasets.map((dataset) => [dataset.name, dataset]));
  let gateway: Gateway | undefined;
  try {
    for (const dataset of datasets) await loadTable(clickHouse.url, dataset);
    const configure = (): Kong =>
      kongOf(clickHouse, {
        ...{ known, absent, serviceUrl: isBehind ? judgeUrl : nowhere },
        ...(isAsked && { metadataUrl: judgeUrl }),
      });
    const config = configure();
    gateway = await startGateway({ config, port: 0, pluginsDirectory: builtPlugins() });
    await whenAnswered(gateway, config);
    for (const dataset of datasets) await loadJudge(judgeUrl, gateway.url, dataset);
    return oracleOf({ clickHouse, gateway, judgeUrl, known, configure });
  } catch (error) {
    await gateway?.close();
    await clickHouse.close();
    throw error;
  }
}

/** What the project's set-up has built, else the last `npm run build`. */
function builtPlugins(): string {
  const built = process.env['BUILT_PLUGIN'];
  return built === undefined ? pluginsDirectory : resolve(built, 'plugins');
}

type Known = Map<string, Dataset>;

/** Where nobody listens. */
const nowhere = 'http://localhost:1';

type Kong = ReturnType<typeof kongConfig>;

interface Served {
  readonly known: Known;
  readonly absent: string;
  readonly serviceUrl: string;
  readonly metadataUrl?: string;
}

const kongOf = (
  clickHouse: EmbeddedClickHouse,
  { known, absent, serviceUrl, metadataUrl }: Served,
): Kong =>
  kongConfig([
    {
      serviceUrl,
      service: { retries: 0 },
      plugin: pluginConfig(clickHouse.url, {
        ...(metadataUrl !== undefined && { metadata_config: { hosts: [metadataUrl] } }),
        settings: {
          proxy: {
            whiteIndexList: [...known.keys(), absent],
            ck: { url: clickHouse.url, user: reader.name, pass: reader.password },
          },
          tables: tablesOf(known),
        },
      }),
    },
  ]);

/** Options of the tables that are searched in another way than by default. */
const tablesOf = (known: Known): JsonObject =>
  Object.fromEntries(
    [...known.values()].flatMap(({ name, textSearch }) =>
      textSearch === undefined ? [] : [[name, { textSearch }]],
    ),
  );

interface Servers {
  readonly clickHouse: EmbeddedClickHouse;
  readonly gateway: Gateway;
  readonly judgeUrl: string;
  readonly known: Known;
  /** The gateway's configuration for what is known now. */
  readonly configure: () => Kong;
}

function oracleOf({ clickHouse, gateway, judgeUrl, known, configure }: Servers): Oracle {
  let reader: SqlReader | undefined;
  const askProduct = (request: OracleRequest): Promise<OracleAnswer> =>
    sendToProduct(gateway.url, patientRequest(request));
  const askJudge = (request: OracleRequest): Promise<OracleAnswer> =>
    sendToJudge(judgeUrl, request);
  return {
    product: { url: gateway.url },
    judge: { url: judgeUrl },
    clickHouse: { url: clickHouse.url },
    askProduct,
    askJudge,
    ask: async (request, theirRequest = request) => {
      const fields = rewrittenFields(known, request);
      const equal = equalOf(judgedRequest(theirRequest, fields));
      const [ours, answer] = await Promise.all([askProduct(request), askJudge(equal.request)]);
      const theirs = restoredAnswer(equal, answer);
      return { request, judged: equal.request, theirs, ...unwrapped(request, ours) };
    },
    load: async (dataset) => {
      known.set(dataset.name, dataset);
      await loadTable(clickHouse.url, dataset);
      gateway.replaceConfig(configure());
      await loadJudge(judgeUrl, gateway.url, dataset);
    },
    remove: async (dataset) => {
      known.delete(dataset.name);
      await judgeRequest(judgeUrl, 'DELETE', `/${dataset.name}?ignore_unavailable=true`);
    },
    sql: (request) => {
      reader ??= openSqlReader(clickHouse.url);
      return reader.sql(request);
    },
    close: async () => {
      await reader?.close();
      await gateway.close();
      await clickHouse.close();
    },
  };
}

/** The text fields that the judge is asked for in another way; none where the product searches their words, as it does. */
function rewrittenFields(known: Known, { path }: OracleRequest): ReadonlySet<string> {
  const index = path.split(/[/?]/)[1] ?? '';
  if (known.get(index)?.textSearch === 'tokens') return new Set();
  return new Set([...known.values()].flatMap(textFieldsOf));
}

/** The request that the judge has, with all that was asked spelled out. */
export const equalOf = (request: OracleRequest): EqualRequest =>
  equalRequest({ ...request, method: methodOf(request) });

/** The judge's answer to an equal request as that to the request which was meant. Errors, and answers that are no JSON, stay as they are. */
export const restoredAnswer = ({ restore }: EqualRequest, answer: OracleAnswer): OracleAnswer =>
  answer.status === 200 && /^\s*[[{]/.test(answer.text)
    ? { status: 200, text: writeJson(restore(parseJson(answer.text))) }
    : answer;

/** The answer of an asynchronous search that is complete is that of a search, in an envelope. */
export function unwrapped(
  request: OracleRequest,
  ours: OracleAnswer,
): Pick<BothAnswers, 'ours' | 'envelope'> {
  if (!isAsync(request) || ours.status !== 200) return { ours };
  const envelope = parseJson(ours.text) as JsonObject;
  const { response } = envelope;
  if (response === undefined) return { ours, envelope };
  return { ours: { status: 200, text: writeJson(response) }, envelope };
}

/** The text that a request's body is sent as; undefined without one. */
export function bodyText({ body, lines }: OracleRequest): string | undefined {
  if (lines) return lines.map((line) => `${writeJson(line)}\n`).join('');
  if (body === undefined || typeof body === 'string') return body;
  return writeJson(body);
}

const methodOf = (request: OracleRequest): string =>
  request.method ?? (bodyText(request) === undefined ? 'GET' : 'POST');

async function sendToProduct(url: string, request: OracleRequest): Promise<OracleAnswer> {
  const body = bodyText(request);
  const type = request.lines ? 'application/x-ndjson' : 'application/json';
  const { status, text } = await ask(url, request.path, {
    method: methodOf(request),
    ...(body !== undefined && { body, headers: { 'content-type': type } }),
    signal: AbortSignal.timeout(60_000),
  });
  return { status, text };
}

async function sendToJudge(url: string, request: OracleRequest): Promise<OracleAnswer> {
  const { status, text } = await judgeRequest(
    url,
    methodOf(request),
    request.path,
    bodyText(request),
  );
  return { status, text };
}
