import { mapLimited } from '../../plugins/kibana-clickhouse/common/async/map-limited';
import {
  type JsonObject,
  type JsonValue,
  isJsonArray,
  isJsonObject,
} from '../../plugins/kibana-clickhouse/common/json/json';
import { parseJson } from '../../plugins/kibana-clickhouse/common/json/parse-json';
import { writeJson } from '../../plugins/kibana-clickhouse/common/json/write-json';
import { servedIndexes } from '../../plugins/kibana-clickhouse/gateway/index-expression';
import { decideRoute } from '../../plugins/kibana-clickhouse/gateway/route';
import { stringOf } from '../../plugins/kibana-clickhouse/search/values/field-value';
import { type Dataset, textFieldsOf } from '../datasets/dataset';
import { ask } from '../gateway/client';
import type { CompareOptions } from '../oracle/compare';
import { envelopeFault } from '../oracle/envelope';
import { type OracleRequest, judgedRequest, patientRequest } from '../oracle/judge-request';
import {
  type Oracle,
  type OracleAnswer,
  bodyText,
  equalOf,
  restoredAnswer,
  unwrapped,
} from '../oracle/oracle';
import type { CorpusRequest } from './corpus-request';
import { type Placing, movedLines, movedPath } from './move-index';
import { type Timeline, moveTimes } from './move-times';
import { type Verdict, judge } from './outcome';

/** One search of the corpus (an `_msearch` has several), with what became of it. */
export interface Replayed extends Verdict {
  readonly id: string;
  readonly app: string;
  /** As it was sent, moved onto the datasets. */
  readonly request: OracleRequest;
  readonly ours: OracleAnswer;
  readonly theirs: OracleAnswer | undefined;
}

/** Where the corpus is moved to. */
export interface Stage {
  readonly oracle: Oracle;
  readonly datasets: readonly Dataset[];
  readonly place: Placing;
  /** By name of a dataset. */
  readonly timelines: ReadonlyMap<string, Timeline>;
}

const ATONCE = 2;

/** Sends every request to both servers and compares their answers. */
export async function replay(
  corpus: readonly CorpusRequest[],
  stage: Stage,
): Promise<readonly Replayed[]> {
  const served = servedIndexes({ whiteIndexList: stage.datasets.map(({ name }) => name) });
  const verdicts = await mapLimited(corpus, ATONCE, async (recorded) => {
    const request = movedRequest(recorded, stage);
    const { id, app } = recorded;
    if (decideRoute(request.path.split('?')[0] ?? '', '', served).kind === 'pass')
      return [{ id, app, request, ...passedOn }];
    const both = await askBoth(recorded, request, stage);
    return verdictsOf(request, both).map((one) => ({ id, app, request, ...one }));
  });
  return verdicts.flat();
}

const passedOn: Judged = {
  outcome: 'passed on',
  reason: '',
  ours: { status: 0, text: '' },
  theirs: undefined,
};

/** The request with index names and times moved onto the datasets, and nothing else changed. */
export function movedRequest(
  recorded: CorpusRequest,
  { place, timelines }: Pick<Stage, 'place' | 'timelines'>,
): OracleRequest {
  const query = Object.entries(recorded.query)
    .map(([name, value]) => `${encodeURIComponent(name)}=${encodeURIComponent(stringOf(value))}`)
    .join('&');
  const path = movedPath(recorded, place);
  const { method, body, lines } = recorded;
  const named = lines ? movedLines(lines, place) : [];
  const moved = (value: JsonValue, index: string): JsonValue => {
    const timeline = timelines.get(index);
    return timeline ? moveTimes(value, timeline) : value;
  };
  return {
    method,
    path: query === '' ? path : `${path}?${query}`,
    ...(body !== undefined && { body: moved(body, path.split('/')[1] ?? '') }),
    ...(lines && {
      lines: named.map((line, i) => moved(line, stringOf(named[i - (i % 2)]?.['index'] ?? ''))),
    }),
  };
}

interface Both {
  readonly ours: OracleAnswer;
  readonly theirs: OracleAnswer | undefined;
  /** Of an `_async_search`: our whole answer. */
  readonly envelope?: JsonObject;
}

/** The text fields of the datasets that a request names. */
function textFieldsNamed(
  request: OracleRequest,
  datasets: readonly Dataset[],
): ReadonlySet<string> {
  const headers = (request.lines ?? []).filter((_, i) => i % 2 === 0);
  const indexes = headers.map((header) => (isJsonObject(header) ? header['index'] : undefined));
  const named = [request.path.split('/')[1], ...indexes];
  return new Set(datasets.filter(({ name }) => named.includes(name)).flatMap(textFieldsOf));
}

async function askBoth(
  recorded: CorpusRequest,
  request: OracleRequest,
  { oracle, datasets }: Stage,
): Promise<Both> {
  const equal = equalOf(judgedRequest(request, textFieldsNamed(request, datasets)));
  const [ours, theirs] = await Promise.all([
    sendAsRecorded(recorded, patientRequest(request), oracle.product.url),
    oracle.askJudge(equal.request).catch(() => undefined),
  ]);
  return { ...unwrapped(request, ours), theirs: theirs && restoredAnswer(equal, theirs) };
}

/** Headers that belong to one connection, or to who sent the recording. */
const dropped: readonly string[] = [
  'accept-encoding',
  'authorization',
  'connection',
  'content-encoding',
  'content-length',
  'host',
  'transfer-encoding',
];

const limitMs = 60_000;

/** With the headers of the recording. Status 0 where no answer comes. */
async function sendAsRecorded(
  { headers }: CorpusRequest,
  request: OracleRequest,
  url: string,
): Promise<OracleAnswer> {
  const body = bodyText(request);
  const type = request.lines ? 'application/x-ndjson' : 'application/json';
  const recorded = Object.entries(headers)
    .map(([name, value]) => [name.toLowerCase(), value] as const)
    .filter(([name]) => !dropped.includes(name) && (body !== undefined || name !== 'content-type'));
  try {
    const { status, text } = await ask(url, request.path, {
      method: request.method ?? 'POST',
      headers: {
        ...(body !== undefined && { 'content-type': type }),
        ...Object.fromEntries(recorded),
      },
      ...(body !== undefined && { body }),
      signal: AbortSignal.timeout(limitMs),
    });
    return { status, text };
  } catch (error) {
    return { status: 599, text: error instanceof Error ? error.message : String(error) };
  }
}

type Judged = Verdict & Omit<Both, 'envelope'>;

function verdictsOf(request: OracleRequest, { ours, theirs, envelope }: Both): readonly Judged[] {
  const { lines } = request;
  const fault = envelope && envelopeFault(envelope);
  if (fault !== undefined) return [{ outcome: 'different', reason: fault, ours, theirs }];
  if (!lines) return [{ ...judge(ours, theirs, { request, tolerate }), ours, theirs }];
  return Array.from({ length: lines.length / 2 }, (_, i) => {
    const slot = { ours: slotOf(ours, i), theirs: theirs && slotOf(theirs, i) };
    const body = lines[2 * i + 1] ?? {};
    return {
      ...judge(slot.ours, slot.theirs, { request: { ...request, body }, tolerate }),
      ...slot,
    };
  });
}

/** What two right answers may differ in here, besides what they always may. */
const tolerate: NonNullable<CompareOptions['tolerate']> = [
  { path: 'id', reason: 'of a point in time: each server has its own' },
  { path: '*.mappings.dynamic', reason: 'how the judge is loaded' },
  { path: '*.mappings._meta', reason: 'how the judge is loaded' },
  { path: '*.mappings.**.fields.folded', reason: 'twin of a text field that only the judge has' },
  { path: '*.settings.index.refresh_interval', reason: 'how the judge is loaded' },
];

/** One answer of an `_msearch`; what is no list of answers holds for all. */
function slotOf(answer: OracleAnswer, i: number): OracleAnswer {
  if (answer.status !== 200) return answer;
  const response = responsesOf(parseJson(answer.text))[i];
  if (response === undefined) return { status: 599, text: `no answer to search ${String(i)}` };
  const { status = 200, ...rest } = response;
  return { status: Number(status), text: writeJson(rest) };
}

function responsesOf(answer: JsonValue): readonly JsonObject[] {
  const responses = isJsonObject(answer) ? answer['responses'] : undefined;
  return responses !== undefined && isJsonArray(responses) ? responses.filter(isJsonObject) : [];
}
