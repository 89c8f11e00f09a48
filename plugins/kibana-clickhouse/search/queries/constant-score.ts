import { contentParseError, parsingError } from '../../common/errors/catalogue';
import { type QueryNode, defineClause } from './definition';
import { checkCommonOption, clauseObject } from './options';

interface ConstantScoreParams {
  readonly filter: QueryNode;
}

/** `{"constant_score": {"filter": {…}}}`: the filter, with the same score for every hit. */
export const constantScore = defineClause<ConstantScoreParams>({
  name: 'constant_score',
  parse(body, parseQuery) {
    let filter: QueryNode | undefined;
    for (const [key, value] of Object.entries(clauseObject('constant_score', body))) {
      if (value === null) throw parsingError('unexpected token [VALUE_NULL]');
      if (key === 'filter') filter = parseQuery(value);
      else if (key === 'boost' || key === '_name') checkCommonOption(key, value);
      else throw contentParseError(`[constant_score] query does not support [${key}]`);
    }
    if (filter === undefined) throw parsingError("[constant_score] requires a 'filter' element");
    return { filter };
  },
  toCondition: ({ filter }, context) => filter.toCondition(context),
  isNone: ({ filter }, context) => filter.isNone(context),
  required: ({ filter }) => [filter],
});
