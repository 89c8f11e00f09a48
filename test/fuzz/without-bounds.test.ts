import { describeJudged } from '../judge/describe-judged';
import { date, long } from '../datasets/dataset';
import { type Oracle, openOracle } from '../oracle/oracle';
import type { FuzzCase, Verdict } from './run/verdict';
import { judge } from './run/verdict';
import { datasetOf } from './documents/field';

const documents = {
  columns: [long('seq'), date('moments', { array: true })],
  fields: [{ name: 'moments', kind: 'date', values: [] }],
  rows: [
    { seq: 0, moments: ['2023-01-01T00:00:00.000Z', '2024-01-20T00:00:00.000Z'] },
    { seq: 1, moments: ['2024-01-01T10:00:00.000Z'] },
    { seq: 2, moments: ['2024-01-01T00:00:00.000Z', '2024-05-05T00:00:00.000Z'] },
  ],
  firstMs: 0,
  lastMs: 1,
} as const;
const index = 'bounded-histogram';
const histogram = { date_histogram: { field: 'moments', calendar_interval: '1M' } };
const between = (gte: string, lte: string) => ({ range: { moments: { gte, lte } } });

describeJudged('a date_histogram under a query of its own field', () => {
  let oracle: Oracle;
  beforeAll(async () => {
    oracle = await openOracle({ datasets: [datasetOf(documents, index)] });
  }, 120_000);
  afterAll(() => oracle.close());

  const judged = (query: FuzzCase['request']['body']): Promise<Verdict> => {
    const body = { query, aggs: { months: { ...histogram } }, _source: false };
    return judge(oracle, { request: { parameters: {}, body }, documents, index });
  };

  it('counts dates outside of the query where they are', async () => {
    const { outcome, answers } = await judged(between('2024-01-01', '2024-02-10'));
    expect(outcome).toBe('equal');
    expect(answers.theirs.text).toContain('"2024-05-01T00:00:00.000Z"');
  });

  it('is answered where no date is within the query', async () => {
    const filter = [between('now-10y/y', '2019'), between('2030', '2031')];
    const { outcome } = await judged({ bool: { filter } });
    expect(outcome).toBe('empty');
  });
});
