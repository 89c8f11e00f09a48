import { datasets } from '../datasets/all';
import type { Dataset } from '../datasets/dataset';
import { closeClient } from '../gateway/client';
import { describeJudged } from '../judge/describe-judged';
import { type Difference, compareAnswers, parsed } from './compare';
import { missingFrom } from './contains';
import { envelopeFault } from './envelope';
import { type Oracle, type OracleAnswer, openOracle } from './oracle';
import { printComparison, printDifferences } from './print-difference';
import { type Scenario, readScenarios } from './scenario';

/** `SCENARIOS`: a regular expression on their names, for the few that a person or a broken product is interested in. */
const chosen = process.env['SCENARIOS'];
const scenarios = readScenarios().filter(({ name }) => new RegExp(chosen ?? '').test(name));

describeJudged('scenarios', () => {
  let oracle: Oracle;

  beforeAll(async () => {
    const used = new Map<string, Dataset>(chosen === undefined ? datasets : []);
    for (const { dataset } of scenarios) used.set(dataset.name, dataset);
    oracle = await openOracle({ datasets: [...used.values()] });
  }, 180_000);

  afterAll(async () => {
    await oracle.close();
    closeClient();
    process.stdout.write(`${countsOf(scenarios)}\n`);
  });

  test.each(scenarios)(
    '$name',
    async (scenario) => {
      const failure = await failureOf(scenario, oracle);
      if (scenario.known === undefined) {
        if (failure !== undefined) throw new Error(failure);
      } else if (failure === undefined) {
        throw new Error(`the answers agree: take \`known\` away (${scenario.known})`);
      }
    },
    90_000,
  );
});

const countsOf = (all: readonly Scenario[]): string => {
  const unjudged = all.filter((one) => one.unjudged !== undefined).length;
  const known = all.filter((one) => one.known !== undefined).length;
  return `${String(all.length)} scenarios, ${String(unjudged)} of them unjudged, ${String(known)} known to differ`;
};

/** Why a scenario does not hold, as text for a person; undefined when it does. */
async function failureOf(scenario: Scenario, oracle: Oracle): Promise<string | undefined> {
  const { request, expect: expected, tolerate, unjudged } = scenario;
  if (unjudged !== undefined) {
    const ours = await oracle.askProduct(request);
    return unexpected('our answer', ours, missingFrom(parsed(ours.text), expected));
  }
  const both = await oracle.ask(request);
  const differences = compareAnswers(both.ours, both.theirs, { request, tolerate });
  if (differences.length > 0) return printComparison(both, differences, await oracle.sql(request));
  return (
    unexpected('the answer', both.ours, missingFrom(parsed(both.ours.text), expected)) ??
    (both.envelope && envelopeFault(both.envelope))
  );
}

function unexpected(
  whose: string,
  { text }: OracleAnswer,
  differences: readonly Difference[],
): string | undefined {
  if (differences.length === 0) return undefined;
  return `${whose} is not as expected (theirs: the expectation):\n${printDifferences(differences)}\n\n${text}`;
}
