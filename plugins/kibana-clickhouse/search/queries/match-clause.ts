import type { Field } from '../../clickhouse/catalog/table';
import type { Expr } from '../../clickhouse/sql/nodes';
import type { JsonValue } from '../../common/json/json';
import { type QueryClause, type QueryContext, defineClause } from './definition';
import { type MatchOptions, type MissingParts, matchOptions } from './match-options';
import type { MetadataField } from './metadata-field';
import { minimumShouldMatch } from './minimum-should-match';
import { onField } from './on-field';
import { readFieldClause } from './option-readers';
import { requireTextLength } from './options';
import { checkRewrite } from './rewrite';
import { stringOf } from '../values/field-value';
import { leniently } from './text/lenient';

/** Options with what is looked for. */
export type MatchParams = Partial<MatchOptions> & { readonly query: JsonValue };

interface MatchClause {
  readonly name: string;
  /** Names of options besides `query` and `analyzer`. */
  readonly options: readonly string[];
  readonly missing: () => MissingParts;
  readonly onField: (field: Field, params: MatchParams, context: QueryContext) => Expr;
  /** Default: it equals the value. */
  readonly onMetadata?: (field: MetadataField) => Expr;
}

interface FieldMatch {
  readonly field: string;
  readonly params: MatchParams;
}

/** A clause of the match family: `{"match": {"message": "error"}}` or with `query` and options. */
export function defineMatchClause(clause: MatchClause): QueryClause {
  const { name } = clause;
  const shape = {
    name,
    short: (query: JsonValue) => (query === null ? {} : { query }),
    options: matchOptions(name, ['query', 'analyzer', ...clause.options]),
    oddToken: 'unknown' as const,
  };
  return defineClause<FieldMatch>({
    name,
    parse(body) {
      const { field, options } = readFieldClause<MatchOptions>(shape, body);
      if (field === undefined) throw clause.missing().field;
      const { query } = options;
      if (query === undefined) throw clause.missing().query;
      requireTextLength(name, stringOf(query));
      if (field === '' && name !== 'match' && name !== 'match_phrase_prefix')
        throw clause.missing().field;
      return { field, params: { ...options, query } };
    },
    toCondition({ field, params }, context) {
      checkRewrite(params.rewrite);
      // lenient forgives a value that does not fit, not this
      if (params.lenient === true && params.minimumShouldMatch !== undefined)
        minimumShouldMatch(params.minimumShouldMatch, 1);
      return onField(field, context, {
        field: (found) =>
          leniently(params.lenient === true, () => clause.onField(found, params, context)),
        metadata: (found) =>
          clause.onMetadata ? clause.onMetadata(found) : found.equals(stringOf(params.query)),
      });
    },
  });
}
