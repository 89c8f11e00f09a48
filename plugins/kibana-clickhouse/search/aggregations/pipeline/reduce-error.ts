import { isUnsupported, reduceArgument } from '../../../common/errors/catalogue';
import { ElasticsearchError } from '../../../common/errors/elasticsearch-error';

/** Runs what Elasticsearch does only when it puts the answers of shards together: its errors are of that phase. */
export function inReduce<T>(run: () => T): T {
  try {
    return run();
  } catch (error) {
    if (!(error instanceof ElasticsearchError) || isUnsupported(error)) throw error;
    throw reduceArgument(error.message);
  }
}
