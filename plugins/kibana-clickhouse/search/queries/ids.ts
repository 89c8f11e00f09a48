import { alwaysFalse } from '../../clickhouse/sql/build';
import { failedQuery, parsingError } from '../../common/errors/catalogue';
import type { ErrorCause } from '../../common/errors/elasticsearch-error';
import { type JsonValue, isJsonArray } from '../../common/json/json';
import { tokenName } from '../request/coerce';
import { stringOf } from '../values/field-value';
import { defineClause } from './definition';
import { hasDocumentId } from './has-document-id';
import { checkCommonOption, clauseObject } from './options';

interface IdsParams {
  readonly values: readonly string[];
  /** Document types; `_doc` is the only one there is. */
  readonly types: readonly string[];
}

/** `{"ids": {"values": ["…", "…"]}}`: the documents with these `_id`s. */
export const ids = defineClause<IdsParams>({
  name: 'ids',
  parse(body) {
    let params: IdsParams = { values: [], types: [] };
    for (const [key, value] of Object.entries(clauseObject('ids', body))) {
      if (key === 'values') params = { ...params, values: parseList(key, value) };
      else if (key === 'type' || key === '_type')
        params = { ...params, types: parseList(key, value) };
      else if (key === 'boost' || key === '_name') checkCommonOption(key, value);
      else throw objectError(`[ids] unknown field [${key}]`);
    }
    return params;
  },
  isNone: ({ values }) => values.length === 0,
  toCondition({ values, types }, { table }) {
    if (types.length > 0 && !types.includes('_doc')) return alwaysFalse;
    if (values.includes('')) throw failedQuery("Ids can't be empty");
    return hasDocumentId(table, values);
  },
});

/** `ids` is read by an object parser, whose errors stand twice. */
const objectError = (reason: string, causes: readonly ErrorCause[] = []): Error =>
  parsingError(reason, [{ type: 'x_content_parse_exception', reason }, ...causes]);

function parseList(key: string, value: JsonValue): readonly string[] {
  if (typeof value !== 'string' && !isJsonArray(value))
    throw objectError(`[ids] ${key} doesn't support values of type: ${tokenName(value)}`);
  return (isJsonArray(value) ? value : [value]).map((item) => {
    if (item === null || typeof item === 'object')
      throw objectError(`[ids] failed to parse field [${key}]`);
    return stringOf(item);
  });
}
