import { integer } from '../../../clickhouse/sql/build';
import { shardIllegalArgument, unsupported } from '../../../common/errors/catalogue';
import type { AggregationContext, AggregationType, Level } from '../definition';
import { parsePath, writeSingle } from './nested';

const name = 'reverse_nested';

/**
 * `{"reverse_nested": {}}` below a `nested`: one bucket of the documents around the nested ones, each once, with their fields
 * (Elasticsearch 7.17 `ReverseNestedAggregationBuilder`). Refused: `path`.
 */
export const reverseNested: AggregationType = {
  name,
  parse(body, aggregation) {
    const path = parsePath(body, aggregation);
    return {
      family: 'bucket',
      type: name,
      params: { path },
      level: (context) => reverseLevel({ path, aggregation }, context),
      assemble: ({ buckets }, empty) => writeSingle(buckets, empty),
    };
  },
};

function reverseLevel(
  { path, aggregation }: { readonly path: string | undefined; readonly aggregation: string },
  context: AggregationContext,
): Level | undefined {
  const { nesting, nestings = 0 } = context;
  if (!nesting)
    throw shardIllegalArgument(
      `Reverse nested aggregation [${aggregation}] can only be used inside a [nested] aggregation`,
    );
  if (path !== undefined) {
    if (nesting.around.table.field(path) === undefined) return undefined;
    throw unsupported(`option [path] of aggregation [${name}]`);
  }
  return {
    key: integer(0),
    keys: 'expanded',
    manyKeys: false,
    order: [{ by: 'key', direction: 'ASC' }],
    minDocCount: 1,
    folds: { element: nesting.element },
    inside: { ...nesting.around, nestings },
  };
}
