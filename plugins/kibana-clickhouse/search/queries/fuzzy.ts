import { failedQuery, illegalArgument } from '../../common/errors/catalogue';
import { stringOf } from '../values/field-value';
import { toInteger } from '../request/coerce';
import { defineClause } from './definition';
import { type Fuzziness, defaultFuzziness, editsOf, parseFuzziness } from './fuzziness';
import { onField } from './on-field';
import { isUnmapped } from './queried-field';
import { type ReadOption, readFieldClause } from './option-readers';
import { booleanOption } from './options';
import { requireTextLength } from './options';
import { checkRewrite } from './rewrite';
import { resembles } from './text/fuzzy';

interface FuzzyParams {
  readonly field: string;
  readonly options: Partial<FuzzyClauseOptions> & { readonly value: string };
}

interface FuzzyClauseOptions {
  readonly value: string;
  readonly fuzziness: Fuzziness;
  readonly prefixLength: number;
  readonly maxExpansions: number;
  readonly transpositions: boolean;
  readonly rewrite: string;
}

const value: ReadOption<FuzzyClauseOptions> = (given) => ({ value: stringOf(given) });

/** `{"fuzzy": {"host": "wbe"}}` or with `value`, `fuzziness`, `prefix_length` and `transpositions`. */
export const fuzzy = defineClause<FuzzyParams>({
  name: 'fuzzy',
  isNone: ({ field }, context) => context !== undefined && isUnmapped(field, context),
  parse(body) {
    const { field, options } = readFieldClause<FuzzyClauseOptions>(
      {
        name: 'fuzzy',
        short: (given) => (given === null ? {} : value(given, 'value')),
        oddToken: 'unexpected',
        options: {
          value,
          term: value,
          fuzziness: (given) => ({ fuzziness: parseFuzziness(given) }),
          prefix_length: (given, name) => ({ prefixLength: toInteger(given, name) }),
          max_expansions: (given, name) => ({ maxExpansions: toInteger(given, name) }),
          transpositions: (given, name) => ({ transpositions: booleanOption(name, given) }),
          rewrite: (given) => ({ rewrite: stringOf(given) }),
        },
      },
      body,
    );
    if (field === undefined || field === '')
      throw illegalArgument('field name cannot be null or empty');
    if (options.value === undefined) throw illegalArgument('query value cannot be null');
    requireTextLength('fuzzy', options.value);
    return { field, options: { ...options, value: options.value } };
  },
  toCondition: ({ field, options }, context) =>
    onField(field, context, {
      field(found) {
        checkRewrite(options.rewrite);
        if ((options.prefixLength ?? 0) < 0) throw failedQuery('prefixLength cannot be negative.');
        if ((options.maxExpansions ?? 1) < 1) throw failedQuery('maxExpansions must be positive.');
        const { value: wanted, fuzziness = defaultFuzziness } = options;
        const edits = editsOf(fuzziness, wanted);
        return resembles(found, wanted, context, { ...options, edits });
      },
      metadata({ name, type }) {
        throw failedQuery(
          `Can only use fuzzy queries on keyword and text fields - not on [${name}] which is of type [${type}]`,
        );
      },
    }),
});
