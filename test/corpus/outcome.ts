import { isDeepStrictEqual } from 'node:util';
import {
  type JsonObject,
  type JsonValue,
  isJsonArray,
  isJsonObject,
} from '../../plugins/kibana-clickhouse/common/json/json';
import { parseJson } from '../../plugins/kibana-clickhouse/common/json/parse-json';
import { writeJson } from '../../plugins/kibana-clickhouse/common/json/write-json';
import { type CompareOptions, type Difference, compareAnswers } from '../oracle/compare';
import type { OracleAnswer } from '../oracle/oracle';

export const outcomes = [
  'equal',
  'empty',
  'refused',
  'unjudged',
  'different',
  'failed',
  'passed on',
] as const;

/** What became of a request; docs/corpus.md says what each means. */
export type Outcome = (typeof outcomes)[number];

export interface Verdict {
  readonly outcome: Outcome;
  /** Why: the reason of a refusal, the first difference; empty for equal answers. */
  readonly reason: string;
  readonly differences?: readonly Difference[];
}

const parsed = (text: string): JsonValue => {
  try {
    return parseJson(text);
  } catch {
    return text;
  }
};

const at = (value: JsonValue, name: string): JsonValue =>
  isJsonObject(value) ? (value[name] ?? null) : null;

/** The reason that a client shows: that of the first root cause. */
function reasonOf({ status, text }: OracleAnswer): string {
  const error = at(parsed(text), 'error');
  const causes = at(error, 'root_cause');
  const cause = isJsonArray(causes) ? (causes[0] ?? error) : error;
  const reason = at(cause, 'reason');
  if (typeof reason === 'string') return reason;
  return typeof error === 'string' ? error : `${String(status)} ${text.slice(0, 200)}`;
}

const isRefusal = (reason: string): boolean => reason.startsWith('[kibana-clickhouse]');

/**
 * Judges one answer of the product. `theirs` is undefined where the judge gave none. A 400 of the product that is not its
 * own word for what it does not do, while the judge answers, is a difference.
 */
export function judge(
  ours: OracleAnswer,
  theirs: OracleAnswer | undefined,
  options: CompareOptions = {},
): Verdict {
  const judgeFails = theirs === undefined || theirs.status >= 500;
  if (ours.status >= 500 && !judgeFails)
    return { outcome: 'failed', reason: `${String(ours.status)} ${reasonOf(ours)}` };
  if (ours.status >= 400 && isRefusal(reasonOf(ours)))
    return { outcome: 'refused', reason: reasonOf(ours) };
  if (theirs === undefined) return { outcome: 'unjudged', reason: 'the judge gives no answer' };
  if (theirs.status >= 400)
    return { outcome: 'unjudged', reason: `${String(theirs.status)} ${reasonOf(theirs)}` };
  const answers = [parsed(ours.text), parsed(theirs.text)] as const;
  const [left, expected] = withoutEqualHits(...answers);
  const differences = compareAnswers(
    { status: ours.status, text: writeJson(left) },
    { status: theirs.status, text: writeJson(expected) },
    options,
  );
  const [first] = differences;
  if (first === undefined)
    return { outcome: showsDocuments(answers[1]) ? 'equal' : 'empty', reason: '' };
  const reason = ours.status >= 400 ? reasonOf(ours) : first.path;
  return { outcome: 'different', reason, differences };
}

type Pair = readonly [ours: JsonValue, theirs: JsonValue];

const comparedHits = 10;

/**
 * Both answers without the hits that are plainly the same, and with the first ten of the others: to compare thousands of
 * hits value by value takes minutes. The sort values stay.
 */
function withoutEqualHits(ours: JsonValue, theirs: JsonValue): Pair {
  const [left, right] = [hitsOf(ours), hitsOf(theirs)];
  if (left.length !== right.length) return [ours, theirs];
  const others = left.flatMap((hit, i) =>
    isDeepStrictEqual(hit, comparable(right[i] ?? null)) ? [] : [i],
  );
  const compared = new Set(others.slice(0, comparedHits));
  const reduced = (hit: JsonValue, i: number): JsonValue =>
    compared.has(i) ? hit : { sort: at(left[i] ?? null, 'sort') };
  return [withHits(ours, left.map(reduced)), withHits(theirs, right.map(reduced))];
}

function hitsOf(answer: JsonValue): readonly JsonValue[] {
  const hits = at(at(answer, 'hits'), 'hits');
  return isJsonArray(hits) ? hits : [];
}

/** A hit of the judge without what the product has not: its mapping type, and the twins for folded text. */
function comparable(hit: JsonValue): JsonValue {
  if (!isJsonObject(hit)) return hit;
  const without = (object: JsonObject, isLeftOut: (name: string) => boolean): JsonObject =>
    Object.fromEntries(Object.entries(object).filter(([name]) => !isLeftOut(name)));
  const rest = without(hit, (name) => name === '_type');
  const { fields } = rest;
  if (fields === undefined || !isJsonObject(fields)) return rest;
  return { ...rest, fields: without(fields, (name) => name.endsWith('.folded')) };
}

function withHits(answer: JsonValue, hits: readonly JsonValue[]): JsonValue {
  const around = at(answer, 'hits');
  if (!isJsonObject(answer) || !isJsonObject(around) || hits.length === 0) return answer;
  return { ...answer, hits: { ...around, hits } } satisfies JsonObject;
}

const isPositive = (value: JsonValue): boolean => typeof value === 'number' && value > 0;
const hasMembers = (value: JsonValue): boolean =>
  isJsonArray(value) ? value.length > 0 : isJsonObject(value) && Object.keys(value).length > 0;

/**
 * Whether an answer shows a hit, a total above 0 or a bucket with documents; of answers that are no search, a field, an
 * index or a term.
 */
export function showsDocuments(answer: JsonValue): boolean {
  const hits = at(answer, 'hits');
  if (hits === null)
    return ['fields', 'indices', 'terms'].some((name) => hasMembers(at(answer, name)));
  const total = at(hits, 'total');
  return (
    hasMembers(at(hits, 'hits')) ||
    isPositive(isJsonObject(total) ? at(total, 'value') : total) ||
    hasCount(at(answer, 'aggregations'))
  );
}

function hasCount(value: JsonValue): boolean {
  if (isJsonArray(value)) return value.some(hasCount);
  if (!isJsonObject(value)) return false;
  return isPositive(at(value, 'doc_count')) || Object.values(value).some(hasCount);
}
