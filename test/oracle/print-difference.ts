import { parseJson } from '../../plugins/kibana-clickhouse/common/json/parse-json';
import type { JsonValue } from '../../plugins/kibana-clickhouse/common/json/json';
import { writeJson } from '../../plugins/kibana-clickhouse/common/json/write-json';
import type { Difference } from './compare';
import type { OracleRequest } from './judge-request';
import { type BothAnswers, bodyText } from './oracle';

const shownDifferences = 20;
const shownCharacters = 6000;

const written = (value: JsonValue | undefined): string =>
  value === undefined ? '(absent)' : writeJson(value);

const shortened = (text: string): string =>
  text.length <= shownCharacters
    ? text
    : `${text.slice(0, shownCharacters)}… (${String(text.length)} characters)`;

function indented(text: string): string {
  try {
    const value = parseJson(text);
    const exact = (_: string, member: unknown): unknown =>
      typeof member === 'bigint' ? member.toString() : member;
    return JSON.stringify(value, exact, 1);
  } catch {
    return text;
  }
}

const shownRequest = (request: OracleRequest): string =>
  `${request.method ?? 'POST'} ${request.path}\n${bodyText(request) ?? '(no body)'}`;

/** One line for each difference: path, our value, the judge's. */
export function printDifferences(differences: readonly Difference[]): string {
  const lines = differences
    .slice(0, shownDifferences)
    .map(
      ({ path, ours, theirs }) =>
        `  ${path}\n    - ours   ${written(ours)}\n    + theirs ${written(theirs)}`,
    );
  const more = differences.length - lines.length;
  return [...lines, ...(more > 0 ? [`  … and ${String(more)} more`] : [])].join('\n');
}

/** All that a person needs to understand a difference: what differs, the request, both answers, our SQL. */
export function printComparison(
  { request, judged, ours, theirs }: BothAnswers,
  differences: readonly Difference[],
  sql: string,
): string {
  const isRewritten = bodyText(judged) !== bodyText(request) || judged.path !== request.path;
  return [
    `${String(differences.length)} differences:`,
    printDifferences(differences),
    `request: ${shownRequest(request)}`,
    ...(isRewritten ? [`the judge was asked: ${shownRequest(judged)}`] : []),
    `ours (${String(ours.status)}): ${shortened(indented(ours.text))}`,
    `theirs (${String(theirs.status)}): ${shortened(indented(theirs.text))}`,
    `our SQL:\n${shortened(sql)}`,
  ].join('\n\n');
}
