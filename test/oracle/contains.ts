import {
  type JsonValue,
  isJsonArray,
  isJsonObject,
} from '../../plugins/kibana-clickhouse/common/json/json';
import { type Difference, equalNumbers, isNumber } from './compare';

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
  return isSame(answer, expected) ? [] : [{ path: path.join('.'), ours: answer, theirs: expected }];
}

const isSame = (answer: JsonValue | undefined, expected: JsonValue): boolean =>
  Object.is(answer, expected) ||
  (isNumber(answer) && isNumber(expected) && equalNumbers(answer, expected));
