import { parsingError } from '../../common/errors/catalogue';
import { type JsonValue, isJsonArray, isJsonObject } from '../../common/json/json';
import { type QueryNode, defineClause, unsought } from './definition';
import { checkCommonOption, clauseObject, finiteNumber } from './options';

interface BoostingParams {
  readonly positive: QueryNode;
  readonly negative: QueryNode;
}

/** As Elasticsearch 7.17 does. */
const isPassedOver = (value: JsonValue): boolean => isJsonArray(value) || value === null;

/** `{"boosting": {"positive": {…}, "negative": {…}, "negative_boost": 0.5}}`: the positive clause; the other one changes scores. */
export const boosting = defineClause<BoostingParams>({
  name: 'boosting',
  parse(body, parseQuery) {
    const clauses: Partial<Record<'positive' | 'negative', QueryNode>> = {};
    let negativeBoost = -1;
    const given = Object.entries(clauseObject('boosting', body));
    for (const [key, value] of given.filter(([, one]) => !isPassedOver(one))) {
      if ((key === 'positive' || key === 'negative') && isJsonObject(value))
        clauses[key] = parseQuery(value);
      else if (key === 'negative_boost') negativeBoost = finiteNumber(key, value);
      else if (key === 'boost' || key === '_name') checkCommonOption(key, value);
      else throw parsingError(`[boosting] query does not support [${key}]`);
    }
    const { positive, negative } = clauses;
    if (positive === undefined)
      throw parsingError("[boosting] query requires 'positive' query to be set'");
    if (negative === undefined)
      throw parsingError("[boosting] query requires 'negative' query to be set'");
    if (negativeBoost < 0)
      throw parsingError(
        "[boosting] query requires 'negative_boost' to be set to be a positive value'",
      );
    return { positive, negative };
  },
  toCondition({ positive, negative }, context) {
    // what is refused is refused wherever it stands
    negative.toCondition(unsought(context));
    return positive.toCondition(context);
  },
  isNone: ({ positive }, context) => positive.isNone(context),
  required: ({ positive }) => [positive],
});
