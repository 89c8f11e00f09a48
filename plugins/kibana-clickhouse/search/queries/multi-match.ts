import type { Field } from '../../clickhouse/catalog/table';
import { or } from '../../clickhouse/sql/build';
import type { Expr } from '../../clickhouse/sql/nodes';
import { illegalArgument, parseError, parsingError } from '../../common/errors/catalogue';
import { type JsonValue, isJsonArray, isJsonObject } from '../../common/json/json';
import { stringOf } from '../values/field-value';
import { type QueryContext, defineClause } from './definition';
import { weightedField } from './weighted-field';
import { type MatchOptions, matchOptions, wordOptions } from './match-options';
import type { MatchParams } from './match-clause';
import { metadataField } from './metadata-field';
import { type ReadOption, readOptions } from './option-readers';
import { checkTieBreaker, clauseObject, requireTextLength } from './options';
import { checkRewrite } from './rewrite';
import { matchesAcrossFields } from './text/across-fields';
import { leniently } from './text/lenient';
import { matchesPhrase, matchesPhrasePrefix } from './text/match-phrase';
import { matchesWords } from './text/match-words';
import { searchedFields } from './text/searched-fields';

type MatchType =
  'best_fields' | 'bool_prefix' | 'cross_fields' | 'most_fields' | 'phrase' | 'phrase_prefix';

interface MultiMatchOptions extends MatchOptions {
  readonly fields: readonly string[];
  readonly type: MatchType;
}

type MultiMatchParams = MatchParams & Partial<Pick<MultiMatchOptions, 'fields' | 'type'>>;

/** `{"multi_match": {"query": "error", "fields": ["message", "host^2"]}}`; without fields all are searched, leniently. */
export const multiMatch = defineClause<MultiMatchParams>({
  name: 'multi_match',
  parse(body) {
    const options = readOptions<MultiMatchOptions>(
      { name: 'multi_match', options: readers, oddToken: 'unknown', lists: ['fields'] },
      clauseObject('multi_match', body),
    );
    const { query, type = 'best_fields', fuzziness } = options;
    if (query === undefined) throw parsingError('No text specified for multi_match query');
    requireTextLength('multi_match', stringOf(query));
    if (fuzziness !== undefined && withoutFuzziness.includes(type))
      throw parsingError(`Fuzziness not allowed for type [${type}]`);
    if (options.slop !== undefined && options.slop !== 0 && type === 'bool_prefix')
      throw parsingError('[slop] not allowed for type [bool_prefix]');
    return { ...options, query };
  },
  toCondition(params, context) {
    checkRewrite(params.rewrite);
    const { fields = [], lenient } = params;
    const names = fields.length === 0 ? ['*'] : fields;
    const forgiving = lenient ?? names.includes('*');
    const metadata = names
      .map((name) => metadataField(name, context.table))
      .filter((field) => field !== undefined)
      .map((field) => field.equals(stringOf(params.query)));
    const found = searchedFields(context.table, names);
    return or([...metadata, ...conditionsOf(found, params, { context, forgiving })]);
  },
});

const withoutFuzziness: readonly MatchType[] = ['cross_fields', 'phrase', 'phrase_prefix'];

const types: readonly MatchType[] = [
  'best_fields',
  'bool_prefix',
  'cross_fields',
  'most_fields',
  'phrase',
  'phrase_prefix',
];

const scalarReaders: Readonly<Record<string, ReadOption<MatchOptions>>> = matchOptions(
  'multi_match',
  [
    'query',
    'analyzer',
    'operator',
    'minimum_should_match',
    'zero_terms_query',
    'lenient',
    'slop',
    'fuzziness',
    'prefix_length',
    'max_expansions',
    'fuzzy_transpositions',
    'fuzzy_rewrite',
    'auto_generate_synonyms_phrase_query',
    'cutoff_frequency',
  ],
);

const readers: Readonly<Record<string, ReadOption<MultiMatchOptions>>> = {
  ...scalarReaders,
  fields: (value) => ({ fields: parseFields(value) }),
  type: (value) => ({ type: parseType(value) }),
  tie_breaker(value, name) {
    checkTieBreaker(name, value);
    return {};
  },
};

function parseFields(value: JsonValue): readonly string[] {
  if (value === null || isJsonObject(value))
    throw parsingError('[multi_match] query does not support [fields]');
  const names = isJsonArray(value) ? value : [value];
  return names.map((name) => {
    if (name === null || typeof name === 'object')
      throw illegalArgument('[multi_match] [fields] must be strings');
    return weightedField(stringOf(name));
  });
}

function parseType(value: JsonValue): MatchType {
  const found = types.find((type) => type === value);
  if (found === undefined)
    throw parseError(
      `failed to parse [multi_match] query type [${stringOf(value)}]. unknown type.`,
    );
  return found;
}

interface Search {
  readonly context: QueryContext;
  readonly forgiving: boolean;
}

function conditionsOf(
  fields: readonly Field[],
  params: MultiMatchParams,
  { context, forgiving }: Search,
): readonly Expr[] {
  if (params.type === 'cross_fields')
    return matchesAcrossFields(fields, params.query, context, {
      ...wordOptions(params),
      lenient: forgiving,
    });
  return fields.map((field) => leniently(forgiving, () => conditionOn(field, params, context)));
}

function conditionOn(field: Field, params: MultiMatchParams, context: QueryContext): Expr {
  const { query } = params;
  switch (params.type) {
    case 'phrase':
      return matchesPhrase(field, query, context, params);
    case 'phrase_prefix':
      return matchesPhrasePrefix(field, query, context, params);
    case 'bool_prefix':
      return matchesWords(field, query, context, { ...wordOptions(params), lastIsPrefix: true });
    default:
      return matchesWords(field, query, context, wordOptions(params));
  }
}
