import { ElasticsearchError } from '../../../plugins/kibana-clickhouse/common/errors/elasticsearch-error';
import { writeJson } from '../../../plugins/kibana-clickhouse/common/json/write-json';
import { queryClauses } from '../../../plugins/kibana-clickhouse/search/queries/registry';
import { clauseSamples } from './clause-samples';
import { failureOf } from './failure-of';
import { wrongQueries } from './wrong-values';

const isRefusal = (failure: unknown): boolean =>
  failure === undefined || (failure instanceof ElasticsearchError && failure.status === 400);

describe.each(queryClauses.map(({ name }) => name))('%s', (name) => {
  it('has samples that are answered', () => {
    const samples = clauseSamples[name] ?? [];
    expect(samples).not.toHaveLength(0);
    for (const body of samples) expect(failureOf({ [name]: body }, 'contains')).toBeUndefined();
  });

  it.each(['contains', 'tokens'] as const)(
    'refuses wrong values of any type in any place with 400, or takes them (%s)',
    (textSearch) => {
      const wrong = wrongQueries(name).filter((query) => !isRefusal(failureOf(query, textSearch)));
      expect(wrong.map((query) => writeJson(query))).toEqual([]);
    },
  );
});
