import type { Outcome } from '../../corpus/outcome';
import { corpusPage, countOutcomes, readCounts, worsened } from '../../corpus/page';
import type { Replayed } from '../../corpus/replay';

const one = (app: string, outcome: Outcome, reason = ''): Replayed => ({
  id: `${app}/1`,
  app,
  outcome,
  reason,
  request: { path: '/logs/_search' },
  ours: { status: 200, text: '' },
  theirs: undefined,
});
const run = [
  one('osd-discover', 'equal'),
  one('osd-discover', 'equal'),
  one('lens', 'passed on'),
  one('lens', 'different', 'hits.total'),
  one('lens', 'refused', '[kibana-clickhouse] unsupported: query on field [a]'),
  one('lens', 'refused', '[kibana-clickhouse] unsupported: query on field [b]'),
];

describe('docs/corpus.md', () => {
  it('tells the counts that it can be read back for', () => {
    expect(readCounts(corpusPage(run))).toEqual(countOutcomes(run));
  });

  it('sums the apps up, counts reasons of one kind together and names what differs', () => {
    const page = corpusPage(run);
    expect(page).toContain('| **all** | 2 | 0 | 2 | 0 | 1 | 0 | 1 |');
    expect(page).toContain('| 2 | query on field […] |');
    expect(page).toContain('- lens/1: different, `hits.total`');
  });
});

describe('a run is worse than the page', () => {
  const before = countOutcomes(run);
  const now = (...more: readonly Replayed[]): readonly string[] =>
    worsened(before, countOutcomes(more));

  it('where fewer are equal, or more different or failed, app by app', () => {
    expect(
      now(one('osd-discover', 'equal'), one('tsvb', 'failed'), one('lens', 'different')),
    ).toEqual(['osd-discover: 1 equal, the page says 2', 'tsvb: 1 failed, the page says 0']);
    expect(now(...run, one('lens', 'different'))).toEqual(['lens: 2 different, the page says 1']);
  });

  it('not where it is the same or better', () => {
    expect(now(...run)).toEqual([]);
    expect(now(...run.filter(({ app }) => app !== 'lens'), one('lens', 'equal'))).toEqual([]);
  });
});
