import { ElasticsearchError } from './elasticsearch-error';

/** 400 of a shard: a definition of a field that is none. */
export const mapperParsingError = (reason: string): ElasticsearchError =>
  new ElasticsearchError({
    status: 400,
    type: 'mapper_parsing_exception',
    reason,
    phase: 'shard',
  });
