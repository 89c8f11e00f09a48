import { parseJson } from '../../plugins/kibana-clickhouse/common/json/parse-json';
import { missing } from '../datasets/edges';
import { closeClient } from '../gateway/client';
import { describeJudged, sharedJudgeUrl } from '../judge/describe-judged';
import { loadIndex } from '../judge/load';
import { judgeRequest } from '../judge/request';
import { type Oracle, openOracle } from './oracle';

const here = 'both-sides-here';
const there = 'both-sides-there';
const absent = 'both-sides-absent';

describeJudged('indexes in ClickHouse and in Elasticsearch', () => {
  let oracle: Oracle;

  beforeAll(async () => {
    const datasets = [{ ...missing, name: here }];
    oracle = await openOracle({ datasets, isBehind: true, isAsked: true, absent });
    for (const index of [there, absent])
      await loadIndex(sharedJudgeUrl(), {
        index,
        mappings: { properties: { n: { type: 'long' } } },
        documents: [{ id: 'its own', source: { n: 1 } }],
      });
    await judgeRequest(sharedJudgeUrl(), 'PUT', `/${there}/_alias/both-sides-alias`);
  }, 180_000);

  afterAll(async () => {
    for (const index of [here, there, absent])
      await judgeRequest(sharedJudgeUrl(), 'DELETE', `/${index}`);
    await oracle.close();
    closeClient();
  });

  it.each([
    [`/${here},${there}/_search`, `[${there}]`],
    ['/both-sides*/_search', `[both-sides-alias], [${there}]`],
    [`/${here},both-sides-t*/_field_caps?fields=*`, `[${there}]`],
    ['/both*h*,both*alias/_count', `[both-sides-alias], [${there}]`],
    [`/_cat/count/${here},both-sides-alias`, '[both-sides-alias]'],
    [`/${here},another:logs/_search`, '[another:logs]'],
  ])('are not asked together: %s', async (path, names) => {
    const { status, text } = await oracle.askProduct({ path });
    expect([status, text]).toEqual([
      400,
      expect.stringContaining(`which names [${here}] in ClickHouse and ${names} in Elasticsearch`),
    ]);
  });

  it.each([
    ['both-sides*,-both-sides-t*,-both-sides-al*', 8],
    [`both-sides-h*,${absent}`, 8],
    ['both-sides-h*,nobody-knows-it*', 8],
    ['both-sides-t*', 1],
    ['both-sides-alias', 1],
  ])('are asked apart: %s', async (expression, count) => {
    const path = `/${expression}/_count?ignore_unavailable=true`;
    const { status, text } = await oracle.askProduct({ path });
    expect([status, parseJson(text)]).toMatchObject([200, { count }]);
  });

  it('leaves nothing where all is excluded', async () => {
    const path = '/both-sides-h*,-both-sides-*/_search';
    const { status, text } = await oracle.askProduct({ path });
    expect([status, parseJson(text)]).toMatchObject([200, { hits: { total: { value: 0 } } }]);
  });

  it('stand in lists together, with aliases', async () => {
    const aliases = await oracle.askProduct({ path: '/_alias?filter_path=both*' });
    expect(parseJson(aliases.text)).toEqual({
      [here]: { aliases: {} },
      [there]: { aliases: { 'both-sides-alias': {} } },
    });
    const resolved = await oracle.askProduct({ path: '/_resolve/index/both-sides*' });
    expect(parseJson(resolved.text)).toMatchObject({
      indices: [{ name: here }, { name: there }],
      aliases: [{ name: 'both-sides-alias', indices: [there] }],
      data_streams: [],
    });
    const path = '/_cat/indices/both-sides*?h=index,docs.count,health&s=index:desc&v';
    expect((await oracle.askProduct({ path })).text).toBe(
      [
        'index            docs.count health',
        `${there}          1 green`,
        `${here}           8 green`,
        '',
      ].join('\n'),
    );
  });
});
