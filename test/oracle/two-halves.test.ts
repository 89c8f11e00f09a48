import { parseJson } from '../../plugins/kibana-clickhouse/common/json/parse-json';
import { writeJson } from '../../plugins/kibana-clickhouse/common/json/write-json';
import { datasets } from '../datasets/all';
import type { Dataset } from '../datasets/dataset';
import { closeClient } from '../gateway/client';
import { describeJudged, sharedJudgeUrl } from '../judge/describe-judged';
import { judgeRequest } from '../judge/request';
import { compareAnswers } from './compare';
import { type Oracle, openOracle } from './oracle';
import { printComparison } from './print-difference';
import { type Scenario, readScenarios } from './scenario';

/** One of so many scenarios is asked. */
const STEP = 20;
const names = ['missing', 'numbers', 'texts', 'dates', 'addresses'];

const halfNames = (name: string): readonly string[] => [`half-0-of-${name}`, `half-1-of-${name}`];

const halves = names.flatMap((name) => {
  const whole = datasets.get(name);
  if (whole === undefined) throw new Error(`no dataset ${name}`);
  return halfNames(name).map((half, place): Dataset => ({
    ...whole,
    name: half,
    rows: () => [...whole.rows()].filter((_row, i) => i % 2 === place),
  }));
});

/** Scores differ from one half to the other: then the order of hits is Elasticsearch's own. */
const isOrdered = ({ request: { body } }: Scenario): boolean =>
  body !== undefined && /"size":0|"sort":/.test(writeJson(body));

const scenarios = readScenarios()
  .filter(({ dataset: { name }, request: { path, body }, unjudged, known }) => {
    const isSearch = path.startsWith(`/${name}/_search`) && body !== undefined;
    return names.includes(name) && isSearch && (unjudged ?? known) === undefined;
  })
  .filter(isOrdered)
  .filter((_scenario, i) => i % STEP === 0);

/** Elasticsearch answers with the half that does not fail; the product fails. */
const isPartial = (text: string): boolean => text.includes('"failures":[');

describeJudged('a dataset in two halves, searched as one', () => {
  let oracle: Oracle;

  beforeAll(async () => {
    oracle = await openOracle({ datasets: halves });
  }, 180_000);

  afterAll(async () => {
    for (const { name } of halves) await judgeRequest(sharedJudgeUrl(), 'DELETE', `/${name}`);
    await oracle.close();
    closeClient();
  });

  test.each(scenarios)(
    '$name',
    async ({ dataset: { name }, request: given, tolerate }) => {
      const path = given.path.replace(`/${name}/`, `/${halfNames(name).join()}/`);
      const request = { ...given, path };
      const both = await oracle.ask(request);
      if (both.ours.status === 400) {
        // refused by name, or by both
        const isRefused = both.ours.text.includes('[kibana-clickhouse] unsupported');
        expect(isRefused || both.theirs.status >= 400 || isPartial(both.theirs.text)).toBe(true);
        return;
      }
      expect(parseJson(both.ours.text)).toHaveProperty('_shards.total', 2);
      const differences = compareAnswers(both.ours, both.theirs, { request, tolerate });
      if (differences.length > 0)
        throw new Error(printComparison(both, differences, 'a search of two tables'));
    },
    90_000,
  );
});
