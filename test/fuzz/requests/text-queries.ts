import * as fc from 'fast-check';
import type { JsonObject } from '../../../plugins/kibana-clickhouse/common/json/json';
import type { FuzzDocuments, FuzzField } from '../documents/field';
import { fieldsOfKind, options, valueOf } from './context';

/** A part of what a document holds, in another case. */
const parts = (field: FuzzField): fc.Arbitrary<string> =>
  fc
    .tuple(valueOf(field).map(String), fc.nat(6), fc.nat(6), fc.constantFrom('as is', 'upper'))
    .map(([text, from, more, letters]) => {
      const signs = Array.from(text);
      const part = signs.slice(from % (signs.length + 1)).slice(0, 1 + more);
      return letters === 'upper' ? part.join('').toUpperCase() : part.join('');
    });

/** One to three parts of texts, and sometimes a whole one. */
const searched = (field: FuzzField): fc.Arbitrary<string> =>
  fc.oneof(
    valueOf(field).map(String),
    fc
      .array(fc.oneof(parts(field), fc.constantFrom('web', 'db', 'a', 'b', 'hi')), {
        minLength: 1,
        maxLength: 3,
      })
      .map((words) => words.join(' ')),
  );

const boosted = { boost: fc.constantFrom(1, 2, 0.5) };
const operators = fc.constantFrom('and', 'or');
const minimums = fc.constantFrom('1', '2', '50%', '-1');

type Maker = (field: FuzzField) => fc.Arbitrary<JsonObject>;

const onField =
  (name: string, more: Parameters<typeof options>[0]): Maker =>
  (field) =>
    options({ query: searched(field), ...more, ...boosted }, ['query']).map((body) => ({
      [name]: { [field.name]: body },
    }));

const slop = fc.constantFrom(0, 1, 2, 5);

const makers: readonly Maker[] = [
  onField('match', { operator: operators, minimum_should_match: minimums }),
  onField('match_phrase', { slop }),
  onField('match_phrase', { slop }),
  onField('match_phrase_prefix', { max_expansions: fc.constant(1000) }),
  onField('match_bool_prefix', { operator: operators }),
  (field) => parts(field).map((text) => ({ term: { [field.name]: text } })),
];

/** Several texts at once, by words or as a phrase. */
const overSeveral = (texts: readonly FuzzField[], first: FuzzField): fc.Arbitrary<JsonObject> =>
  options(
    {
      query: searched(first),
      fields: fc
        .subarray(
          texts.map(({ name }) => name),
          { minLength: 1 },
        )
        .map((names) => [...names]),
      type: fc.constantFrom('best_fields', 'most_fields', 'phrase'),
      operator: operators,
    },
    ['query', 'fields'],
  ).map((body) => ({ multi_match: body }));

/** A word of a keyword with a letter too many, too few, or another one. */
const nearWords: Maker = (field) =>
  fc
    .tuple(valueOf(field).map(String), fc.nat(9), fc.constantFrom('x', ''), fc.nat(1))
    .chain(([text, at, sign, cut]) => {
      const letters = Array.from(text);
      const place = at % (letters.length + 1);
      const value = [...letters.slice(0, place), sign, ...letters.slice(place + cut)].join('');
      return options(
        {
          value: fc.constant(value),
          fuzziness: fc.constantFrom('AUTO', 0, 1, 2),
          prefix_length: fc.constantFrom(0, 1),
          transpositions: fc.boolean(),
          max_expansions: fc.constant(1000),
        },
        ['value', 'max_expansions'],
      );
    })
    .map((body) => ({ fuzzy: { [field.name]: body } }));

/** Clauses that look for words and parts of texts, and for words like one. */
export function textQueries(documents: FuzzDocuments): fc.Arbitrary<JsonObject> {
  const keywords = fc.constantFrom(...fieldsOfKind(documents, 'keyword'));
  const near = keywords.chain(nearWords);
  const texts = fieldsOfKind(documents, 'text');
  if (texts.length === 0) return near;
  const text = fc.constantFrom(...texts);
  return fc.oneof(
    { weight: 1, arbitrary: near },
    { weight: 1, arbitrary: text.chain((first) => overSeveral(texts, first)) },
    ...makers.map((maker) => ({ weight: 1, arbitrary: text.chain(maker) })),
  );
}
