import fc from 'fast-check';
import {
  array,
  as,
  asc,
  call,
  column,
  literals,
  param,
  tuple,
  binary,
} from '../../../plugins/kibana-clickhouse/clickhouse/sql/build';
import {
  compileSelect,
  readableText,
  typedText,
} from '../../../plugins/kibana-clickhouse/clickhouse/sql/compile';
import type { Expr, SelectNode } from '../../../plugins/kibana-clickhouse/clickhouse/sql/nodes';
import { type Documents, context, openDocuments } from '../queries/documents';

/*
 * Whatever a value holds, ClickHouse reads back exactly that value, and the statement around it stays
 * the statement: nothing of a value becomes SQL.
 */
let documents: Documents;
beforeAll(async () => {
  documents = await openDocuments([
    'CREATE TABLE docs (id UInt32) ENGINE = MergeTree ORDER BY id',
    'INSERT INTO docs VALUES (1)',
  ]);
});
afterAll(() => documents.close());

const selectOf = (values: readonly Expr[]): SelectNode => ({
  columns: values.map((expr, i) => as(`v${String(i)}`, expr)),
  from: { kind: 'table', database: 'default', table: 'docs' },
  orderBy: [asc(column('id'))],
  limit: 1,
});

const read = async (
  expressions: readonly Expr[],
  print: 'parameters' | 'text' | 'typed',
): Promise<readonly unknown[]> => {
  const select = selectOf(expressions);
  const statement =
    print === 'parameters'
      ? compileSelect(select)
      : {
          select,
          parameters: {},
          sql: print === 'text' ? readableText(select) : typedText(select),
        };
  const { rows } = await documents.executor.rows(statement, context());
  expect(rows).toHaveLength(1);
  return rows[0] ?? [];
};

const wellFormed = fc.oneof(
  fc.string({ unit: 'binary' }),
  fc.string({ unit: 'grapheme' }),
  fc
    .array(
      fc.constantFrom(
        "'",
        '\\',
        '`',
        '"',
        '{p0:String}',
        '--',
        '/*',
        ';',
        '\0',
        '\n',
        '\t',
        '\b',
        '%',
        '?',
        '\\N',
        'NULL',
        '🎉',
        '\u2028',
        '\r',
      ),
      { maxLength: 12 },
    )
    .map((parts) => parts.join('')),
);

const runs = { numRuns: 60 };

test('strings survive as parameters and as literals', async () => {
  await fc.assert(
    fc.asyncProperty(fc.array(wellFormed, { minLength: 1, maxLength: 10 }), async (values) => {
      const expressions = values.map((value) => param(value, 'String'));
      for (const print of ['parameters', 'text', 'typed'] as const)
        expect(await read(expressions, print)).toEqual(values);
    }),
    runs,
  );
});

test('lists of strings survive as array parameters and in IN', async () => {
  await fc.assert(
    fc.asyncProperty(
      fc.array(wellFormed, { minLength: 1, maxLength: 10 }),
      wellFormed,
      async (values, other) => {
        const expressions = [
          param(values, 'Array(String)'),
          array(values.map((value) => param(value, 'String'))),
          ...values.map((value) =>
            binary('IN', param(value, 'String'), literals(values, 'String')),
          ),
          binary(
            'IN',
            param(other, 'String'),
            tuple(values.map((value) => param(value, 'String'))),
          ),
        ];
        const expected = [values, values, ...values.map(() => 1), Number(values.includes(other))];
        for (const print of ['parameters', 'typed'] as const)
          expect(await read(expressions, print)).toEqual(expected);
      },
    ),
    runs,
  );
});

test('numbers survive', async () => {
  const number = fc.double({ noNaN: true, noDefaultInfinity: true });
  const int64 = fc.bigInt({ min: -(2n ** 63n), max: 2n ** 63n - 1n });
  await fc.assert(
    fc.asyncProperty(number, int64, fc.boolean(), async (double, integer, flag) => {
      const expressions = [
        param(double, 'Float64'),
        call('toString', param(integer, 'Int64')),
        param(flag, 'Bool'),
      ];
      for (const print of ['parameters', 'typed'] as const) {
        const [readDouble, readInteger, readFlag] = await read(expressions, print);
        expect(Number(readDouble) - double).toBe(0);
        expect([readInteger, readFlag]).toEqual([integer.toString(), flag]);
      }
    }),
    runs,
  );
});

test('extremes survive', async () => {
  const expressions = [
    call('toString', param(-(2n ** 63n), 'Int64')),
    call('toString', param(2n ** 64n - 1n, 'UInt64')),
    param(-128, 'Int8'),
    param(null, 'Nullable(Nothing)'),
    param('10.0.0.1', 'IPv4'),
    param(5e-324, 'Float64'),
    param(1.7976931348623157e308, 'Float64'),
  ];
  const expected = [
    '-9223372036854775808',
    '18446744073709551615',
    -128,
    null,
    '10.0.0.1',
    5e-324,
    1.7976931348623157e308,
  ];
  expect(await read(expressions, 'parameters')).toEqual(expected);
  expect(await read(expressions, 'typed')).toEqual(expected);
});

test('identifiers are names, whatever they hold', async () => {
  await fc.assert(
    fc.asyncProperty(
      wellFormed.filter((name) => name !== '' && !name.includes('\0')),
      async (name) => {
        const select: SelectNode = {
          columns: [as(name, param(1, 'UInt8'))],
          from: { kind: 'table', database: 'default', table: 'docs' },
        };
        const outer: SelectNode = {
          columns: [as('v', column(name))],
          from: { kind: 'select', select },
        };
        const { rows } = await documents.executor.rows(compileSelect(outer), context());
        expect(rows).toEqual([[1]]);
      },
    ),
    runs,
  );
});
