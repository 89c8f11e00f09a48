import { alwaysFalse } from '../../../clickhouse/sql/build';
import type { Expr } from '../../../clickhouse/sql/nodes';
import { isUnsupported } from '../../../common/errors/catalogue';
import { ElasticsearchError } from '../../../common/errors/elasticsearch-error';

/**
 * A condition that matches nothing where its value does not fit the field, as `lenient: true` has it; refusals of the
 * gateway's own are thrown all the same.
 */
export function leniently(lenient: boolean, condition: () => Expr): Expr {
  try {
    return condition();
  } catch (error) {
    const forgiven =
      lenient &&
      error instanceof ElasticsearchError &&
      error.phase === 'shard' &&
      error.causes.every(({ type }) => type !== 'too_many_clauses') &&
      !isUnsupported(error);
    if (!forgiven) throw error;
    return alwaysFalse;
  }
}
