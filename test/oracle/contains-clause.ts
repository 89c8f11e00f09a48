import {
  type JsonObject,
  type JsonValue,
  isJsonArray,
  isJsonObject,
} from '../../plugins/kibana-clickhouse/common/json/json';
import { writeJson } from '../../plugins/kibana-clickhouse/common/json/write-json';

/** What a clause looks for in a text field, and its options. */
interface Wanted {
  readonly field: string;
  readonly text: string;
  readonly options: JsonObject;
}

type Rewrite = (wanted: Wanted) => JsonObject;

/**
 * The clause that judges one on a text field for `textSearch: contains`: a wildcard on its `folded` twin for each substring,
 * and the clause itself on that twin where it looks through whole values. Undefined for all other clauses.
 */
export function containsClause(
  clause: JsonObject,
  textFields: ReadonlySet<string>,
): JsonObject | undefined {
  const [name = ''] = Object.keys(clause);
  const params = clause[name];
  if (name === 'multi_match' && isJsonObject(params)) return manyFields(params, textFields);
  const rewrite = rewrites.get(name);
  if (rewrite === undefined || !isJsonObject(params)) return undefined;
  const names = Object.keys(params).filter((key) => !['boost', '_name'].includes(key));
  const [field = ''] = names;
  if (names.length !== 1 || !textFields.has(field)) return undefined;
  const wanted = wantedOf(field, params[field] ?? null);
  return wanted && rewrite(wanted);
}

function wantedOf(field: string, value: JsonValue): Wanted | undefined {
  const options = isJsonObject(value) ? value : {};
  const given = isJsonObject(value)
    ? (value['query'] ?? value['value'] ?? value['wildcard'] ?? null)
    : value;
  if (isJsonArray(given)) return { field, text: '', options: { values: given } };
  return given === null || isJsonObject(given)
    ? undefined
    : { field, text: textOf(given), options };
}

const textOf = (value: JsonValue): string => (typeof value === 'string' ? value : writeJson(value));

const containing = (field: string, text: string): JsonObject => ({
  wildcard: { [`${field}.folded`]: { value: `*${escaped(text)}*` } },
});

const escaped = (value: string): string => value.replaceAll(/[*?\\]/g, String.raw`\$&`);

const wordsOf = (text: string): readonly string[] =>
  text.split(/\s+/u).filter((word) => word !== '');

const noWords = ({ options }: Wanted): JsonObject =>
  textOf(options['zero_terms_query'] ?? '').toLowerCase() === 'all'
    ? { match_all: {} }
    : { match_none: {} };

function allWords(wanted: Wanted): JsonObject {
  const { field, text, options } = wanted;
  const clauses = wordsOf(text).map((word) => containing(field, word));
  const [only] = clauses;
  if (only === undefined) return noWords(wanted);
  if (clauses.length === 1) return only;
  const occurrence = textOf(options['operator'] ?? '').toLowerCase() === 'and' ? 'must' : 'should';
  const minimum = options['minimum_should_match'];
  return {
    bool: {
      [occurrence]: clauses,
      ...(minimum !== undefined && { minimum_should_match: minimum }),
    },
  };
}

/** With a slop the words near each other serve as well. */
function wholeText(wanted: Wanted): JsonObject {
  const { field, text, options } = wanted;
  if (wordsOf(text).length === 0) return noWords(wanted);
  const whole = containing(field, text);
  const { slop } = options;
  if (slop === undefined || Number(slop) === 0) return whole;
  return {
    bool: { should: [whole, { match_phrase: { [field]: { query: text, slop } } }] },
  };
}

/**
 * Fields by name: text fields by their substrings, the others by the clause itself. A pattern leaves it to the clause to find
 * fields that are no text; what it finds in text fields besides has the substrings, too.
 */
function manyFields(params: JsonObject, textFields: ReadonlySet<string>): JsonObject | undefined {
  const { query = null, fields = ['*'], type = 'best_fields', ...options } = params;
  const names = (isJsonArray(fields) ? fields : [fields]).map((name) =>
    textOf(name).replace(/\^.*$/, ''),
  );
  const patterns = names.filter((name) => name.includes('*'));
  const texts = [...textFields].filter(
    (field) => names.includes(field) || patterns.some((pattern) => matches(pattern, field)),
  );
  if (texts.length === 0 || query === null || typeof query === 'object') return undefined;
  const others = names.filter((name) => !textFields.has(name));
  const wanted = texts.map((field) => ({ field, text: textOf(query), options }));
  return {
    bool: {
      should: [
        ...(others.length > 0 ? [{ multi_match: { ...params, fields: others } }] : []),
        ...inTexts(wanted, textOf(type)),
      ],
      minimum_should_match: 1,
    },
  };
}

function inTexts(wanted: readonly Wanted[], type: string): readonly JsonObject[] {
  if (type.startsWith('phrase')) return wanted.map(wholeText);
  if (type !== 'cross_fields') return wanted.map(allWords);
  const [first] = wanted;
  if (first === undefined) return [];
  const anywhere = wordsOf(first.text).map((word) => ({
    bool: { should: wanted.map(({ field }) => containing(field, word)) },
  }));
  const needsAll = textOf(first.options['operator'] ?? '').toLowerCase() === 'and';
  return [{ bool: { [needsAll ? 'must' : 'should']: anywhere } }];
}

const matches = (pattern: string, name: string): boolean =>
  new RegExp(`^${pattern.replaceAll('.', String.raw`\.`).replaceAll('*', '.*')}$`).test(name);

const onWholeValues =
  (name: string): Rewrite =>
  ({ field, text, options }) => ({ [name]: { [`${field}.folded`]: { ...options, value: text } } });

const rewrites: ReadonlyMap<string, Rewrite> = new Map<string, Rewrite>([
  ['term', ({ field, text }) => containing(field, text)],
  [
    'terms',
    ({ field, options }) => ({
      bool: {
        should: (options['values'] as readonly JsonValue[]).map((one) =>
          containing(field, textOf(one)),
        ),
      },
    }),
  ],
  ['match', allWords],
  ['match_bool_prefix', allWords],
  ['match_phrase', wholeText],
  ['match_phrase_prefix', wholeText],
  ['prefix', onWholeValues('prefix')],
  ['wildcard', onWholeValues('wildcard')],
  ['regexp', onWholeValues('regexp')],
  ['fuzzy', onWholeValues('fuzzy')],
]);
