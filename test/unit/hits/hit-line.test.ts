import fc from 'fast-check';
import { buildTable } from '../../../plugins/kibana-clickhouse/clickhouse/catalog/build-table';
import { column } from '../../../plugins/kibana-clickhouse/clickhouse/sql/build';
import { HitColumns } from '../../../plugins/kibana-clickhouse/search/hits/hit-line';

const table = (...names: readonly string[]): ReturnType<typeof buildTable> =>
  buildTable({
    database: 'default',
    name: 't',
    engine: 'Memory',
    sortingKey: '',
    columns: names.map((name) => ({ name, type: 'String', defaultKind: '' })),
  });

/** Text that is likely to look like the sentinel. */
const hostile = fc.oneof(
  fc.string({ unit: 'binary' }),
  fc
    .array(fc.constantFrom('"', '\\', ',', ':', '1', '_hit_source', '{', '}', '[', ']', '\\"', 'é'))
    .map((parts) => parts.join('')),
);

test('a line is taken apart whatever stands in it', () => {
  fc.assert(
    fc.property(
      hostile,
      fc.array(hostile),
      fc.dictionary(hostile, hostile),
      (text, list, source) => {
        const columns = new HitColumns(table('a'));
        const readText = columns.add(column('a'));
        const readList = columns.add(column('b'));
        const names = columns.select([]).map(({ alias }) => alias);
        const cells: readonly unknown[] = [text, list, 1];
        const row = JSON.stringify(
          Object.fromEntries([
            ...names.map((name, i) => [name, cells[i]]),
            ['x', source],
            ['y', text],
          ]),
        );
        const line = columns.splitLine(row);
        expect(readText(line.cells)).toBe(text);
        expect(readList(line.cells)).toEqual(list);
        expect(JSON.parse(line.source)).toEqual({ x: source, y: text });
      },
    ),
    { numRuns: 500 },
  );
});

test('without cells, without columns', () => {
  const columns = new HitColumns(table('a'));
  expect(columns.splitLine('{"_hit_source":1}')).toEqual({ cells: {}, source: '{}' });
  expect(columns.splitLine('{"_hit_source":1,"a":"b"}')).toEqual({
    cells: {},
    source: '{"a":"b"}',
  });
});

test('names never meet the table’s own, equal expressions are selected once', () => {
  const columns = new HitColumns(table('_hit_0', '__hit_source'));
  const first = columns.alias(column('a'));
  expect(columns.alias(column('a'))).toBe(first);
  expect(columns.select([]).map(({ alias }) => alias)).toEqual(['___hit_0', '___hit_source']);
});
