import type { Field } from '../../clickhouse/catalog/table';
import type { Expr } from '../../clickhouse/sql/nodes';
import { illegalArgument } from '../../common/errors/catalogue';
import { type QueryClause, type QueryContext, defineClause } from './definition';
import type { MetadataField } from './metadata-field';
import { onField } from './on-field';
import { type ReadOption, readFieldClause, text } from './option-readers';
import { booleanOption, requireTextLength } from './options';
import { isUnmapped } from './queried-field';
import { checkRewrite } from './rewrite';
import { stringOf } from '../values/field-value';

/** What prefix, wildcard and regexp have in common. */
export interface StringClauseOptions {
  readonly value: string;
  readonly caseInsensitive: boolean;
  readonly rewrite: string;
}

interface StringClause<O extends StringClauseOptions> {
  readonly name: string;
  /** Names of the option that holds the value; default `value`. */
  readonly valueNames?: readonly string[];
  /** Further options. */
  readonly options: Readonly<Record<string, ReadOption<O>>>;
  /** Whether it is match_none where nothing goes by the field's name: see `QueryNode.isNone`. */
  readonly isNoneUnmapped: boolean;
  readonly onField: (field: Field, options: Asked<O>, context: QueryContext) => Expr;
  readonly onMetadata: (field: MetadataField, options: Asked<O>) => Expr;
}

type Asked<O> = Partial<O> & { readonly value: string };

interface StringParams<O> {
  readonly field: string;
  readonly options: Asked<O>;
}

/** A clause that looks through the terms of one field: `{"prefix": {"host": "web"}}` or with `value` and options. */
export function defineStringClause<O extends StringClauseOptions>(
  clause: StringClause<O>,
): QueryClause {
  const { name, valueNames = ['value'] } = clause;
  const value: ReadOption<StringClauseOptions> = (given) =>
    given === null ? {} : { value: text(name, given) };
  const common: Readonly<Record<string, ReadOption<StringClauseOptions>>> = {
    ...Object.fromEntries(valueNames.map((one) => [one, value])),
    case_insensitive: (given, key) => ({ caseInsensitive: booleanOption(key, given) }),
    rewrite: (given) => (given === null ? {} : { rewrite: text(name, given) }),
  };
  const shape = {
    name,
    short: (given) => (given === null ? {} : { value: stringOf(given) }),
    options: { ...common, ...clause.options },
  } as Parameters<typeof readFieldClause<O>>[0];
  return defineClause<StringParams<O>>({
    name,
    parse: (body) => {
      const { field, options } = readFieldClause(shape, body);
      if (field === undefined || field === '') throw illegalArgument('field name is null or empty');
      const wanted = options.value;
      if (wanted === undefined) throw illegalArgument('value cannot be null');
      requireTextLength(name, wanted);
      return { field, options: { ...options, value: wanted } };
    },
    isNone: ({ field }, context) =>
      clause.isNoneUnmapped && context !== undefined && isUnmapped(field, context),
    toCondition: ({ field, options }, context) => {
      checkRewrite(options.rewrite);
      return onField(field, context, {
        field: (found) => clause.onField(found, options, context),
        metadata: (found) => clause.onMetadata(found, options),
      });
    },
  });
}
