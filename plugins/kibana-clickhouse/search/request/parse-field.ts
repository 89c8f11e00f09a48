import { contentParseError, isUnsupported } from '../../common/errors/catalogue';
import { ElasticsearchError } from '../../common/errors/elasticsearch-error';

/**
 * Parses the value of a declared field of an object. What Elasticsearch would refuse within it becomes the cause of
 * `[bool] failed to parse field [must]`, as its `ObjectParser` (7.17) has it; a refusal of the gateway's own stays on top.
 */
export function parseField<T>(parser: string, field: string, parse: () => T): T {
  try {
    return parse();
  } catch (error) {
    if (!(error instanceof ElasticsearchError) || isUnsupported(error)) throw error;
    throw contentParseError(`[${parser}] failed to parse field [${field}]`, [
      { type: error.type, reason: error.message },
      ...error.causes,
    ]);
  }
}
