import { describeJudged } from '../judge/describe-judged';
import { type Oracle, openOracle } from '../oracle/oracle';
import { featureSet } from './feature-sets';
import { printReport } from './run/report';
import { runFuzz } from './run/run-fuzz';

const number = (name: string, byDefault: number): number => {
  const text = process.env[name];
  return text === undefined || text === '' ? byDefault : Number(text);
};

/**
 * Below as many cases, a claim that no answer has proved may be bad luck; from here on it is a fault of the generator: the
 * rarest, boosts of patterns and matches, stand in three of a thousand.
 */
const enoughCases = 5000;

/** Without parameters. */
const casesByDefault = 1500;

/** As many cases of one seed, so that a change decides the outcome and neither the day nor the machine's speed. */
const seconds = number('FUZZ_SECONDS', process.env['FUZZ_CASES'] === undefined ? 150 : 36_000);
const cases = number('FUZZ_CASES', casesByDefault);
const features = process.env['FUZZ_FEATURES'] ?? 'clean';
const seed = number('FUZZ_SEED', 42);

describeJudged('random searches', () => {
  let oracle: Oracle;
  beforeAll(async () => {
    oracle = await openOracle({ datasets: [] });
  }, 120_000);
  afterAll(() => oracle.close());

  it(
    'are answered as Elasticsearch answers them',
    async () => {
      const print = (line: string): void => {
        process.stdout.write(`${line}\n`);
      };
      print(`seed ${String(seed)}, features ${features}`);
      const report = await runFuzz(oracle, {
        ...{ cases, seed, seconds, print },
        features: featureSet(features),
        differences: number('FUZZ_DIFFERENCES', 5),
      });
      print(printReport(report));
      expect(report.found).toEqual([]);
      if (report.tally.total() >= enoughCases) expect(report.tally.unseen()).toEqual([]);
    },
    (seconds + 600) * 1000,
  );
});
