import {
  type JsonValue,
  isJsonArray,
  isJsonObject,
} from '../../../plugins/kibana-clickhouse/common/json/json';
import { parseJson } from '../../../plugins/kibana-clickhouse/common/json/parse-json';
import { type Difference, compareAnswers } from '../../oracle/compare';
import type { BothAnswers, Oracle, OracleAnswer } from '../../oracle/oracle';
import type { FuzzDocuments } from '../documents/field';
import type { FuzzRequest } from '../requests/context';
import { errorIsFree } from './clause-errors';
import { excluded, freeParts, freeStatus } from './excluded';
import { isApproximate } from './approximate';
import { oracleRequest } from './oracle-request';
import type { Outcome } from './tally';
import { withoutBounds } from './without-bounds';

export interface Verdict {
  readonly outcome: Outcome;
  readonly answers: BothAnswers;
  readonly differences: readonly Difference[];
  /** Why it is refused or excluded. */
  readonly reason?: string;
}

/** A search on documents that both servers hold under the name of an index. */
export interface FuzzCase {
  readonly request: FuzzRequest;
  readonly documents: FuzzDocuments;
  readonly index: string;
}

/** Asks both servers and compares; where they differ, the judge by an equal request as well. */
export async function judge(oracle: Oracle, one: FuzzCase): Promise<Verdict> {
  const { request, index } = one;
  const answers = await oracle.ask(oracleRequest(request, index));
  const refusal =
    answers.ours.status === 400
      ? /\[kibana-clickhouse\] unsupported: [^"]*/.exec(answers.ours.text)?.[0]
      : undefined;
  if (refusal !== undefined)
    return { outcome: 'refused', answers, differences: [], reason: refusal };
  const first = compared(one, answers);
  if (first.outcome !== 'different') return first;
  const theirs = await withoutBounds(oracle, request, index);
  const verdict = theirs === undefined ? first : compared(one, { ...answers, theirs });
  if (verdict.outcome !== 'different') return verdict;
  const known = excluded.find(({ applies }) => applies(verdict.answers, one.documents));
  const reason = known?.reason ?? (await errorIsFree(oracle, request, answers));
  return reason === undefined ? verdict : { ...verdict, outcome: 'excluded', reason };
}

function compared({ request, documents }: FuzzCase, answers: BothAnswers): Verdict {
  const { ours, theirs } = answers;
  const differences = compareAnswers(ours, theirs, {
    request: answers.request,
    tolerate: [...freeStatus(theirs), ...freeParts(request, theirs)],
  }).filter((difference) => !isApproximate(difference, request, documents));
  if (differences.length > 0) return { outcome: 'different', answers, differences };
  if (theirs.status !== 200) return { outcome: 'error', answers, differences };
  return { outcome: hasDocuments(theirs) ? 'equal' : 'empty', answers, differences };
}

/** Whether an answer shows a hit or a bucket with documents. */
function hasDocuments({ text }: OracleAnswer): boolean {
  const answer = parseJson(text);
  if (!isJsonObject(answer)) return false;
  const hits = answer['hits'];
  const shown = isJsonObject(hits) ? hits['hits'] : undefined;
  if (isJsonArray(shown) && shown.length > 0) return true;
  return holdsCount(answer['aggregations']) || holdsValue(answer['aggregations']);
}

function holdsCount(value: JsonValue | undefined): boolean {
  if (isJsonArray(value)) return value.some(holdsCount);
  if (!isJsonObject(value)) return false;
  if (Number(value['doc_count'] ?? 0) > 0) return true;
  return Object.values(value).some(holdsCount);
}

/** A metric beside no buckets. */
const holdsValue = (value: JsonValue | undefined): boolean =>
  isJsonObject(value) &&
  Object.values(value).some((one) => isJsonObject(one) && typeof one['value'] === 'number');

/**
 * What makes two differences of one kind: places in two answers, or for errors both texts without the values in them.
 * The first stands for the case.
 */
export function kindsOf({
  answers: { ours, theirs },
  differences,
}: Verdict): readonly [string, ...string[]] {
  const error = ({ status, text }: OracleAnswer): string =>
    status === 200 ? '200' : `${String(status)} ${reasonOf(text)}`;
  if (ours.status !== 200 || theirs.status !== 200) return [`${error(ours)} | ${error(theirs)}`];
  const [first = '', ...others] = differences.map(({ path }) =>
    path.replaceAll(/\b\d+\b/g, '*').replace(/^.*(buckets|hits\.hits)/, '$1'),
  );
  return [first, ...others];
}

function reasonOf(text: string): string {
  const all = [...text.matchAll(/"(?:type|reason)":"((?:\\.|[^"\\])*)"/g)].map(
    ([, words = '']) => words,
  );
  const rest = all.filter(
    (words) => words !== 'all shards failed' && words !== 'search_phase_execution_exception',
  );
  return rest
    .slice(0, 2)
    .join(': ')
    .replaceAll(/\[[^\]]*\]/g, '[…]')
    .replaceAll(/\d+/g, '#')
    .slice(0, 120);
}
