import { illegalArgument, ofShard, shardIllegalArgument } from '../../common/errors/catalogue';
import { ElasticsearchError } from '../../common/errors/elasticsearch-error';

const message = ({ message: text }: ElasticsearchError): string =>
  text.replace(/^failed to create query: /, '');

/** Runs a parser of queries where its error is one of the request. */
export const asArgument = <T>(parse: () => T): T => renamed(parse, illegalArgument);

/** Runs a parser of queries where its error is one of a shard. */
export const asShardArgument = <T>(parse: () => T): T => renamed(parse, shardIllegalArgument);

/** Runs a parser whose error is found by a shard, not while the request is read. */
export const onShard = <T>(parse: () => T): T => caught(parse, ofShard);

const renamed = <T>(parse: () => T, make: (reason: string) => Error): T =>
  caught(parse, (error) => make(message(error)));

function caught<T>(parse: () => T, make: (error: ElasticsearchError) => Error): T {
  try {
    return parse();
  } catch (error) {
    if (!(error instanceof ElasticsearchError)) throw error;
    throw make(error);
  }
}
