import { parsingError } from '../../common/errors/catalogue';
import { ElasticsearchError } from '../../common/errors/elasticsearch-error';
import { isJsonObject, type JsonObject, type JsonValue } from '../../common/json/json';
import { tokenName } from '../../search/request/coerce';
import { optionalJson } from '../search-index';
import type { GatewayRequest } from './definition';

/**
 * The body of an endpoint that takes a `query` and nothing else (Elasticsearch 7.17, `RestActions.getQueryContent`).
 * Undefined where there is none. Throws 400 for other keys and for what is no JSON.
 */
export function readQueryBody({ body }: Pick<GatewayRequest, 'body'>): JsonValue | undefined {
  const content = parsed(body);
  if (content === undefined) return undefined;
  if (!isJsonObject(content))
    throw parsingError(`Expected [START_OBJECT] but found [${tokenName(content)}]`);
  const other = Object.keys(content).find((key) => key !== 'query');
  if (other !== undefined) throw parsingError(`request does not support [${other}]`);
  return content['query'];
}

function parsed(body: Buffer): JsonValue | undefined {
  try {
    return optionalJson(body);
  } catch (error) {
    if (!(error instanceof ElasticsearchError)) throw error;
    const { type, message: reason } = error;
    throw parsingError('Failed to parse', [{ type, reason }]);
  }
}

/** A search's body that asks for the documents of a query; without one, for all. */
export const searchBody = (query: JsonValue | undefined, more: JsonObject = {}): JsonObject => ({
  ...(query !== undefined && { query }),
  ...more,
});
