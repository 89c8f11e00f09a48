import {
  contentParseError,
  dateParseError,
  failedQuery,
  illegalArgument,
  queryShardError,
  shardIllegalArgument,
  tooManyBuckets,
  unknownName,
  unsupported,
} from '../../../plugins/kibana-clickhouse/common/errors/catalogue';
import { parseField } from '../../../plugins/kibana-clickhouse/search/request/parse-field';

const illegal = (reason: string) => ({ type: 'illegal_argument_exception', reason });
const shards = (reason: unknown) => ({
  type: 'search_phase_execution_exception',
  reason: 'all shards failed',
  phase: 'query',
  grouped: true,
  failed_shards: [{ shard: 0, index: 'logs', node: 'clickhouse', reason }],
});

describe('errors of a request', () => {
  test('one exception stands in root_cause and on top', () => {
    expect(illegalArgument('no').toBody()).toEqual({
      error: { root_cause: [illegal('no')], ...illegal('no') },
      status: 400,
    });
  });

  test("a parser's exception looks into another parser's, never into one of Java's", () => {
    const error = unknownName('unknown query [foo]', 'foo');
    const named = {
      type: 'named_object_not_found_exception',
      reason: 'unknown field [foo]',
    };
    const own = { type: 'parsing_exception', reason: 'unknown query [foo]' };
    expect(error.toBody()).toEqual({
      error: { root_cause: [own], ...own, caused_by: named },
      status: 400,
    });
    const must = {
      type: 'x_content_parse_exception',
      reason: '[bool] failed to parse field [must]',
    };
    expect(() =>
      parseField('bool', 'must', () => {
        throw error;
      }),
    ).toThrow(expect.objectContaining({ message: must.reason }));
    const wrapped = contentParseError(must.reason, [own as never, ...error.causes]);
    expect(wrapped.toBody()).toEqual({
      error: { root_cause: [own], ...must, caused_by: { ...own, caused_by: named } },
      status: 400,
    });
  });

  test('the inner of two fields that cannot be parsed is the root cause', () => {
    const parse = () =>
      parseField('bool', 'filter', () =>
        parseField('bool', 'should', () => {
          throw illegalArgument('no');
        }),
      );
    const inner = {
      type: 'x_content_parse_exception',
      reason: '[bool] failed to parse field [should]',
    };
    const body = (() => {
      try {
        parse();
      } catch (error) {
        return (error as ReturnType<typeof illegalArgument>).toBody();
      }
      return {};
    })();
    expect(body).toEqual({
      error: {
        root_cause: [inner],
        type: 'x_content_parse_exception',
        reason: '[bool] failed to parse field [filter]',
        caused_by: { ...inner, caused_by: illegal('no') },
      },
      status: 400,
    });
  });

  test("a refusal of the gateway's own stays on top", () => {
    const refused = unsupported('query [knn]');
    expect(() =>
      parseField('bool', 'must', () => {
        throw refused;
      }),
    ).toThrow(refused);
  });
});

describe('errors of a shard', () => {
  test("Elasticsearch's own exception has no cause outside; only it names the index", () => {
    const reason = { type: 'query_shard_exception', reason: 'No mapping', index: 'logs' };
    expect(queryShardError('No mapping').toBody('logs')).toEqual({
      error: { root_cause: [reason], ...shards(reason) },
      status: 400,
    });
  });

  test("Java's exception is wrapped, and so stands twice outside", () => {
    expect(shardIllegalArgument('no').toBody('logs')).toEqual({
      error: {
        root_cause: [illegal('no')],
        ...shards(illegal('no')),
        caused_by: { ...illegal('no'), caused_by: illegal('no') },
      },
      status: 400,
    });
  });

  test('a value that does not fit: the cause stands within the shard', () => {
    const own = {
      type: 'query_shard_exception',
      reason: 'failed to create query: no',
      index: 'logs',
    };
    expect(failedQuery('no').toBody('logs')).toEqual({
      error: { root_cause: [own], ...shards({ ...own, caused_by: illegal('no') }) },
      status: 400,
    });
  });

  test("the root cause of one of Elasticsearch's own is repeated outside where it is not the shard's", () => {
    const date = dateParseError('no date', [{ type: 'illegal_argument_exception', reason: 'no' }]);
    const parse = { type: 'parse_exception', reason: 'no date', caused_by: illegal('no') };
    const own = { type: 'query_shard_exception', reason: 'failed', index: 'logs' };
    const error = queryShardError('failed', [
      { type: date.type, reason: date.message },
      ...date.causes,
    ]);
    expect(error.toBody('logs')).toEqual({
      error: {
        root_cause: [{ type: 'parse_exception', reason: 'no date' }],
        ...shards({ ...own, caused_by: parse }),
        caused_by: parse,
      },
      status: 400,
    });
  });

  test('too many buckets are found when no shard is asked any more', () => {
    expect(tooManyBuckets(5).toBody('logs')).toMatchObject({
      error: {
        root_cause: [],
        reason: '',
        phase: 'fetch',
        failed_shards: [],
        caused_by: { type: 'too_many_buckets_exception', max_buckets: 5 },
      },
      status: 400,
    });
  });
});
