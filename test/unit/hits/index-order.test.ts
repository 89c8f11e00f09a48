import { buildTable } from '../../../plugins/kibana-clickhouse/clickhouse/catalog/build-table';
import { asc, column } from '../../../plugins/kibana-clickhouse/clickhouse/sql/build';
import { orderOfIndex } from '../../../plugins/kibana-clickhouse/search/hits/index-order';

const order = (sortingKey: string): ReturnType<typeof orderOfIndex> =>
  orderOfIndex(
    buildTable({
      database: 'default',
      name: 't',
      engine: 'MergeTree',
      sortingKey,
      columns: ['host', '@timestamp', 'odd `name', 'ts'].map((name) => ({
        name,
        type: 'String',
        defaultKind: '',
      })),
    }),
  );

test.each([
  ['', []],
  ['ts', ['ts']],
  ['host, `@timestamp`', ['host', '@timestamp']],
  ['`odd \\`name`, ts', ['odd `name', 'ts']],
  ['host, toStartOfHour(ts), ts', ['host']],
  ['toDate(ts), ts', []],
  ['gone, ts', []],
  ['host DESC, ts', []],
])('%j', (sortingKey, names) => {
  expect(order(sortingKey)).toEqual(names.map((name) => asc(column(name))));
});
