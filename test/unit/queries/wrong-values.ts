import {
  type JsonObject,
  type JsonValue,
  isJsonArray,
  isJsonObject,
} from '../../../plugins/kibana-clickhouse/common/json/json';
import { clauseSamples } from './clause-samples';

/** Of every JSON type, the extremes too. */
const wrongValues: readonly JsonValue[] = [
  null,
  '',
  'x',
  '-1',
  'NaN',
  -1,
  0,
  1.5,
  1e308,
  2n ** 70n,
  -(2n ** 63n),
  true,
  false,
  [],
  ['x'],
  [1, null, {}],
  [[]],
  [['x', [1]]],
  {},
  { x: 1 },
  { value: { x: [] } },
];

/** A value with one part, at each position in turn, replaced by each of the wrong values. */
function* withOneWrong(value: JsonValue): Generator<JsonValue> {
  yield* wrongValues;
  if (isJsonArray(value))
    for (const [i, item] of value.entries())
      for (const wrong of withOneWrong(item)) yield value.with(i, wrong);
  else if (isJsonObject(value))
    for (const [key, member] of Object.entries(value)) {
      for (const wrong of withOneWrong(member)) yield { ...value, [key]: wrong };
      // one more member, one less, and one of another name
      yield { ...value, unknown_member: member };
      yield without(value, key);
    }
}

const without = (object: JsonObject, key: string): JsonObject =>
  Object.fromEntries(Object.entries(object).filter(([name]) => name !== key));

/** Every sample of a clause with every wrong value in every position, once each. */
export function wrongQueries(clause: string): readonly JsonObject[] {
  const bodies = (clauseSamples[clause] ?? []).flatMap((body) => [...withOneWrong(body)]);
  const texts = new Map(bodies.map((body) => [exactText(body), body]));
  return [...texts.values()].map((body) => ({ [clause]: body }));
}

const exactText = (body: JsonValue): string =>
  JSON.stringify(body, (_key, value: unknown) =>
    typeof value === 'bigint' ? `${value.toString()}n` : value,
  );
