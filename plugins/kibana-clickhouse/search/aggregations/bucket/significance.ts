import { binary, call, integer, param } from '../../../clickhouse/sql/build';
import type { BinaryOperator, Expr } from '../../../clickhouse/sql/nodes';
import type { BackgroundCounts } from '../definition';

/** How much more often a term stands in a bucket than in the background: for an order in SQL, and as a number. */
export interface Heuristic {
  score(counts: BackgroundCounts<Expr>): Expr;
  value(counts: BackgroundCounts<number>): number;
}

const op = (operator: BinaryOperator, left: Expr, right: Expr): Expr =>
  binary(operator, left, right);

const share = (part: Expr, whole: Expr): Expr =>
  op('/', call('toFloat64', part), call('toFloat64', whole));

/**
 * `jlh` (Elasticsearch 7.17 `JLHScore`): the difference of the shares times their quotient; a term that the background lacks counts as
 * one document of it in the quotient. 0 where the share is no larger.
 */
const jlh: Heuristic = {
  score: ({ docs, parent, background, total }) => {
    const [inside, outside] = [share(docs, parent), share(background, total)];
    const known = share(call('greatest', background, integer(1)), total);
    const product = op('*', op('-', inside, outside), op('/', inside, known));
    return call('if', op('>', inside, outside), product, param(0, 'Float64'));
  },
  value: ({ docs, parent, background, total }) => {
    const [inside, outside] = [docs / parent, background / total];
    const known = Math.max(background, 1) / total;
    return inside > outside ? (inside - outside) * (inside / known) : 0;
  },
};

/** `percentage` (Elasticsearch 7.17 `PercentageScore`): the part of the term's documents of the background that is in the bucket. */
const percentage: Heuristic = {
  score: ({ docs, background }) =>
    call(
      'if',
      op('>', background, integer(0)),
      share(docs, call('greatest', background, integer(1))),
      param(0, 'Float64'),
    ),
  value: ({ docs, background }) => (background > 0 ? docs / background : 0),
};

/** The heuristics that are answered, by the name of their option. */
export const heuristics: ReadonlyMap<string, Heuristic> = new Map([
  ['jlh', jlh],
  ['percentage', percentage],
]);

export const standardHeuristic = jlh;
