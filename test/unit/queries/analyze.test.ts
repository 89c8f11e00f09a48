import { analyze } from '../../../plugins/kibana-clickhouse/search/queries/text/analyze';

describe('analyze', () => {
  test('joins words by what stands before, between and behind their parts', () => {
    expect(analyze('__Init__ _a-_b_1_')).toEqual(['__init__', '_a', '_b_1_']);
  });

  test('looks through a long line without words once', () => {
    expect(analyze('_'.repeat(500_000))).toEqual([]);
    expect(analyze('_\u0301'.repeat(250_000))).toEqual([]);
  });
});
