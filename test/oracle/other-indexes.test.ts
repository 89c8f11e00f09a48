import { parseJson } from '../../plugins/kibana-clickhouse/common/json/parse-json';
import { writeJson } from '../../plugins/kibana-clickhouse/common/json/write-json';
import { missing } from '../datasets/edges';
import { closeClient } from '../gateway/client';
import { describeJudged, sharedJudgeUrl } from '../judge/describe-judged';
import { loadIndex } from '../judge/load';
import { judgeRequest } from '../judge/request';
import { compareAnswers } from './compare';
import { type Oracle, openOracle } from './oracle';

const elsewhere = 'other-index';
const absentIndex = 'whitelisted-index';

describeJudged('an index that is not in ClickHouse', () => {
  let oracle: Oracle;

  beforeAll(async () => {
    oracle = await openOracle({ datasets: [missing], isBehind: true, absent: absentIndex });
    for (const index of [elsewhere, absentIndex])
      await loadIndex(sharedJudgeUrl(), {
        index,
        mappings: { properties: { n: { type: 'long' } } },
        documents: [{ id: 'its own', source: { n: 1 } }],
      });
  }, 180_000);

  afterAll(async () => {
    for (const index of [elsewhere, absentIndex])
      await judgeRequest(sharedJudgeUrl(), 'DELETE', `/${index}`);
    await oracle.close();
    closeClient();
  });

  it.each([
    [`/${elsewhere}/_search`, 200],
    ['/nobody-knows-it/_search', 404],
    ['/nobody-knows-it/_field_caps?fields=*', 404],
  ])('is answered by Elasticsearch where it is not whitelisted: %s', async (path, status) => {
    const { ours, theirs } = await oracle.ask({ path });
    expect(ours.status).toBe(status);
    expect(ours.text).toContain(status === 200 ? '"its own"' : 'index_not_found_exception');
    expect(compareAnswers(ours, theirs)).toEqual([]);
  });

  it.each([
    `/${absentIndex}/_search`,
    `/${absentIndex}/_async_search`,
    `/${absentIndex}/_field_caps?fields=*`,
    `/_resolve/index/${absentIndex}`,
    `/${absentIndex}/_count`,
    `/${absentIndex}/_mapping`,
    `/${absentIndex}/_doc/its%20own`,
    `/_cat/indices/${absentIndex}`,
    `/${absentIndex}`,
  ])('is missing where it is whitelisted, even if Elasticsearch has it: %s', async (path) => {
    const method = path.includes('_async') ? 'POST' : 'GET';
    const { status, text } = await oracle.askProduct({ method, path });
    expect([status, text]).toEqual([404, expect.stringContaining('ClickHouse has no table')]);
    expect(writeJson(text)).not.toContain('its own');
  });

  it.each(['*', '_all', '*,-nothing*', `${missing.name},*`])(
    'is listed beside ours, of which those without a table are left out: %s',
    async (expression) => {
      const path = `/_resolve/index/${expression}`;
      const answers = await Promise.all([oracle.askProduct({ path }), oracle.askJudge({ path })]);
      const [ours, theirs] = answers.map(({ text }) => {
        const { indices } = parseJson(text) as unknown as {
          readonly indices: readonly { readonly name: string }[];
        };
        return indices.map(({ name }) => name);
      });
      expect(answers.map(({ status }) => status)).toEqual([200, 200]);
      const all = new Set([missing.name, ...(theirs ?? [])]);
      expect(ours).toEqual([...all].filter((name) => name !== absentIndex).sort());
    },
  );

  it.each([
    ['/_cat/indices?format=json', '"index":"missing"'],
    ['/_alias', '"missing":{"aliases":{}}'],
  ])('is in %s with ours, and not where it is whitelisted', async (path, own) => {
    const { status, text } = await oracle.askProduct({ path });
    expect(status).toBe(200);
    expect(text).toContain(own);
    expect(text).toContain(elsewhere);
    expect(text).not.toContain(absentIndex);
  });
});
