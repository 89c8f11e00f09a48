import { unsupported } from '../../common/errors/catalogue';
import { ElasticsearchError } from '../../common/errors/elasticsearch-error';
import { isJsonObject } from '../../common/json/json';
import { namedIndexes, type ServedIndexes } from '../index-expression';
import { optionalJson } from '../search-index';
import { sendOn } from '../send-on';
import type { EndpointHandler } from './definition';

/**
 * `POST /_query` (ES|QL) and `POST /_sql`: refused with a reason where the query reads from an index in ClickHouse, of which
 * Elasticsearch would say that it does not exist. Everything else goes on to Elasticsearch as it came.
 */
export const handler: EndpointHandler = {
  handle(request, runtime) {
    const [index] = sourcesIn(queryOf(request.body), runtime.served);
    if (index === undefined) return sendOn(request, runtime);
    const language = request.path.includes('_sql') ? 'SQL' : 'ES|QL';
    throw unsupported(
      `a query in ${language} on the index [${index}], which is answered from ClickHouse: use KQL, Lucene or filters`,
    );
  },
};

/** The text of the query; empty where the body has none that can be read. */
function queryOf(body: Buffer): string {
  try {
    const content = optionalJson(body);
    const query = isJsonObject(content) ? content['query'] : undefined;
    return typeof query === 'string' ? query : '';
  } catch (error) {
    if (error instanceof ElasticsearchError) return '';
    throw error;
  }
}

const source = String.raw`(?:"[^"]*"|\`[^\`]*\`|[^\s|,()"\`;]+)`;
const SOURCES = new RegExp(String.raw`\b(?:from|join|ts)\s+(${source}(?:\s*,\s*${source})*)`, 'gi');
const SOURCE = new RegExp(source, 'g');

/** Ours that stand behind a `FROM` or `JOIN`. */
function sourcesIn(query: string, served: ServedIndexes): readonly string[] {
  const expressions = [...query.matchAll(SOURCES)].flatMap(([, list = '']) =>
    (list.match(SOURCE) ?? []).map((name) => name.replaceAll(/^["`]|["`]$/g, '')),
  );
  return [...namedIndexes(expressions.join(','), served)].sort();
}
