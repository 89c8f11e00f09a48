import { ElasticsearchError } from '../../plugins/kibana-clickhouse/common/errors/elasticsearch-error';
import type { JsonObject } from '../../plugins/kibana-clickhouse/common/json/json';
import { writeJson } from '../../plugins/kibana-clickhouse/common/json/write-json';
import { queryClauses } from '../../plugins/kibana-clickhouse/search/queries/registry';
import { describeJudged, sharedJudgeUrl } from '../judge/describe-judged';
import { loadIndex } from '../judge/load';
import { judgeRequest } from '../judge/request';
import { mapping } from '../unit/queries/clause-samples';
import { failureOf } from '../unit/queries/failure-of';
import { wrongQueries } from '../unit/queries/wrong-values';

const index = 'wrong_types';

/** Of all wrong queries one in so many is asked. `WRONG_TYPES_STEP=1` asks all. */
const step = Number(process.env['WRONG_TYPES_STEP'] ?? 5);

/** Asked at once. */
const width = 8;

const isRefusedByJudge = async (query: JsonObject): Promise<boolean> => {
  const body = writeJson({ size: 0, query });
  const { status } = await judgeRequest(sharedJudgeUrl(), 'POST', `/${index}/_search`, body);
  return status >= 400;
};

function isRefused(query: JsonObject): boolean {
  const failure = failureOf(query, 'tokens');
  if (failure === undefined || failure instanceof ElasticsearchError) return failure !== undefined;
  throw new Error('a fault of the product', { cause: failure });
}

describeJudged('wrong values in the clauses of a query', () => {
  beforeAll(() =>
    loadIndex(sharedJudgeUrl(), {
      index,
      mappings: mapping,
      documents: [{ source: { k: 'a', t: 'hello', l: 1, ts: '2024-01-01', ip: '::1', p: [1, 1] } }],
    }),
  );

  it.each(queryClauses.map(({ name }) => name))(
    '%s: what Elasticsearch refuses is refused',
    async (name) => {
      const taken = wrongQueries(name)
        .filter((_, i) => i % step === 0)
        .filter((query) => !isRefused(query));
      const wrong: string[] = [];
      for (let start = 0; start < taken.length; start += width) {
        const part = taken.slice(start, start + width);
        const refused = await Promise.all(part.map(isRefusedByJudge));
        wrong.push(...part.filter((_, i) => refused[i]).map((query) => writeJson(query)));
      }
      expect(wrong).toEqual([]);
    },
    60_000,
  );
});
