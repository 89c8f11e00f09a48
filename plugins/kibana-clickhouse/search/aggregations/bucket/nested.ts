import type { Table } from '../../../clickhouse/catalog/table';
import { call, integer } from '../../../clickhouse/sql/build';
import { aggregationExecution, parsingError, unsupported } from '../../../common/errors/catalogue';
import type { JsonObject } from '../../../common/json/json';
import { type ElementTable, elementsOf, elementTable } from '../../queries/nested';
import type {
  AggregationContext,
  AggregationType,
  Bucket,
  EmptyBucket,
  Level,
} from '../definition';
import { textOption, tokenType } from '../options';

const name = 'nested';

/**
 * `{"nested": {"path": "items"}}`: one bucket of the nested documents of those around it, which are the elements of an Array(Tuple)
 * column or of the arrays of a Nested one; what is below sees their fields alone (Elasticsearch 7.17
 * `NestedAggregationBuilder`). Refused: nested documents of nested ones.
 */
export const nested: AggregationType = {
  name,
  parse(body, aggregation) {
    const path = parsePath(body, aggregation);
    if (path === undefined)
      throw parsingError(`Missing [path] field for nested aggregation [${aggregation}]`);
    return {
      family: 'bucket',
      type: name,
      params: { path },
      level: (context) => nestedLevel(path, context),
      assemble: ({ buckets }, empty) => writeSingle(buckets, empty),
    };
  },
};

/** The option `path`, the only one. Throws Elasticsearch's errors. */
export function parsePath(body: JsonObject, aggregation: string): string | undefined {
  for (const [key, value] of Object.entries(body)) {
    if (typeof value !== 'string')
      throw parsingError(`Unexpected token ${tokenType(value)} in [${aggregation}].`);
    if (key !== 'path')
      throw parsingError(`Unknown key for a VALUE_STRING in [${aggregation}]: [${key}].`);
  }
  return textOption(body, 'path', name);
}

/** The bucket of an aggregation that has no other. */
export const writeSingle = ([bucket]: readonly Bucket[], empty: EmptyBucket): JsonObject => ({
  doc_count: bucket?.docCount ?? 0,
  ...(bucket ?? empty).subs,
});

function nestedLevel(path: string, context: AggregationContext): Level | undefined {
  const { table, nesting, nestings = 0 } = context;
  if (nesting) throw unsupported(`aggregation [${name}] below another of nested documents`);
  const element = `nested_document_${String(nestings)}`;
  const elements = elementsOf(table, path);
  if (!elements) checkPath(path, context);
  const inner = elements ? elementTable(table, elements, element) : unmapped(table);
  return {
    key: integer(0),
    keys: 'expanded',
    manyKeys: false,
    order: [{ by: 'key', direction: 'ASC' }],
    minDocCount: 1,
    unfolds: { element, elements: () => inner.array() },
    inside: {
      ...context,
      table: { ...inner.table, columns: [] },
      span: (field) => ({ field }),
      nesting: { path, element, elements: () => inner.array(), around: context },
      nestings: nestings + 1,
    },
  };
}

/** What has no nested documents. */
const unmapped = (table: Table): ElementTable => ({
  table: { ...table, fields: new Map(), field: () => undefined, timeField: undefined },
  array: () => call('emptyArrayUInt8'),
});

/** Throws for a path of what is no nested document; an unmapped one has none. */
function checkPath(path: string, { table }: AggregationContext): void {
  if (table.field(path)?.type !== 'object') return;
  const parents = path.split('.').slice(0, -1);
  const isDeeper = parents.some((_, i) => elementsOf(table, parents.slice(0, i + 1).join('.')));
  if (isDeeper) throw unsupported(`the path [${path}] of nested documents within others`);
  throw aggregationExecution(`[nested] nested path [${path}] is not nested`);
}
