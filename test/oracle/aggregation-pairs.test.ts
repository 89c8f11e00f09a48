import { orders } from '../datasets/orders';
import { closeClient } from '../gateway/client';
import { describeJudged } from '../judge/describe-judged';
import {
  deepRequests,
  type PairRequest,
  pairRequests,
  singleRequests,
  unsampled,
} from './aggregation-pairs';
import { compareAnswers } from './compare';
import { type BothAnswers, type Oracle, openOracle } from './oracle';
import { printComparison } from './print-difference';

test('every registered aggregation has a sample', () => {
  expect(unsampled()).toEqual([]);
});

describeJudged('every aggregation below every other', () => {
  let oracle: Oracle;

  beforeAll(async () => {
    oracle = await openOracle({ datasets: [orders] });
  }, 180_000);

  afterAll(async () => {
    await oracle.close();
    closeClient();
  });

  const ask = ({ aggs }: PairRequest): Promise<BothAnswers> =>
    oracle.ask({ path: '/orders/_search', body: { size: 0, aggs } });

  /** Both answer alike, or both refuse; `seed` is none that the judge has. */
  const expectAgreement = async (both: BothAnswers): Promise<void> => {
    const { request, ours, theirs } = both;
    if (ours.status >= 400 && theirs.status >= 400) {
      expect(ours.status).toBe(400);
      return;
    }
    const tolerate = [{ path: '**.seed', reason: 'a random number' }];
    const differences = compareAnswers(ours, theirs, { request, tolerate });
    if (differences.length > 0)
      throw new Error(printComparison(both, differences, await oracle.sql(request)));
  };

  test.each([...pairRequests(), ...deepRequests()])(
    '$name',
    async (request) => {
      const both = await ask(request);
      expect(both.theirs.status).toBe(200);
      await expectAgreement(both);
    },
    90_000,
  );

  test.each(singleRequests())(
    '$name',
    async (request) => {
      await expectAgreement(await ask(request));
    },
    90_000,
  );
});
