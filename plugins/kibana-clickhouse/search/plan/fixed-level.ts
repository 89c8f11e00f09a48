import { array, binary, call, column, integer, lambda, param } from '../../clickhouse/sql/build';
import type { Expr } from '../../clickhouse/sql/nodes';
import type { Level } from '../aggregations/definition';

/**
 * Fixed buckets as a level, for the bucket aggregations below them: the keys are the places of the conditions that a document
 * fulfils, from 0 on.
 */
export function fixedLevel(conditions: readonly Expr[], disjoint: boolean): Level {
  const single = disjoint || conditions.length === 1;
  return {
    key: single ? firstPlace(conditions) : places(conditions),
    keys: single ? 'single' : 'expanded',
    manyKeys: false,
    order: [{ by: 'key', direction: 'ASC' }],
    minDocCount: 1,
  };
}

const firstPlace = (conditions: readonly Expr[]): Expr =>
  call(
    'multiIf',
    ...conditions.flatMap((condition, i) => [condition, integer(i)]),
    param(null, 'Nullable(Nothing)'),
  );

function places(conditions: readonly Expr[]): Expr {
  const none = integer(conditions.length);
  const perCondition = conditions.map((condition, i) => call('if', condition, integer(i), none));
  return call(
    'arrayFilter',
    lambda('place', binary('<', column('place'), none)),
    array(perCondition),
  );
}
