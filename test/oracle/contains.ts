import {
  type JsonValue,
  isJsonArray,
  isJsonObject,
} from '../../plugins/kibana-clickhouse/common/json/json';
import type { Difference } from './compare';

/**
 * What of an expectation an answer lacks. Members that are not named are free; a list must have the expected elements, and no
 * more.
 */
export function missingFrom(
  answer: JsonValue | undefined,
  expected: JsonValue,
  path: readonly string[] = [],
): readonly Difference[] {
  if (isJsonObject(expected)) {
    const members = isJsonObject(answer) ? answer : {};
    const parts = Object.entries(expected);
    if (isJsonObject(answer) || parts.length > 0)
      return parts.flatMap(([key, value]) =>
        missingFrom(Object.hasOwn(members, key) ? members[key] : undefined, value, [...path, key]),
      );
  }
  if (isJsonArray(expected) && isJsonArray(answer) && answer.length === expected.length)
    return expected.flatMap((value, i) => missingFrom(answer[i], value, [...path, String(i)]));
  if (Object.is(answer, expected)) return [];
  return [{ path: path.join('.'), ours: answer, theirs: expected }];
}
