import { buildTable } from '../../../plugins/kibana-clickhouse/clickhouse/catalog/build-table';
import type { Table } from '../../../plugins/kibana-clickhouse/clickhouse/catalog/table';
import type { JsonObject } from '../../../plugins/kibana-clickhouse/common/json/json';

/** The fields that random queries speak of: by ClickHouse type and Elasticsearch's. */
const fields: readonly (readonly [name: string, clickHouse: string, elasticsearch: string])[] = [
  ['k', 'LowCardinality(Nullable(String))', 'keyword'],
  ['k2', 'LowCardinality(Nullable(String))', 'keyword'],
  ['t', 'Nullable(String)', 'text'],
  ['t2', 'Nullable(String)', 'text'],
  ['l', 'Nullable(Int64)', 'long'],
];

export const table: Table = buildTable({
  database: 'default',
  name: 'trees',
  engine: 'MergeTree',
  sortingKey: 'k',
  columns: fields.map(([name, type]) => ({ name, type, defaultKind: '' })),
});

/** The same as a mapping of Elasticsearch. A text has the twin that the product gives it. */
export const mapping: JsonObject = {
  dynamic: 'strict',
  properties: Object.fromEntries(
    fields.map(([name, , type]) => [
      name,
      type === 'text' ? { type, fields: { keyword: { type: 'keyword' } } } : { type },
    ]),
  ),
};
