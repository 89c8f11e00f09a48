import fc from 'fast-check';
import {
  aggregate,
  and,
  as,
  binary,
  column,
  desc,
  eq,
  filtered,
  literals,
  not,
  or,
  param,
} from '../../../plugins/kibana-clickhouse/clickhouse/sql/build';
import {
  cacheKey,
  compileSelect,
  fingerprint,
  readableText,
} from '../../../plugins/kibana-clickhouse/clickhouse/sql/compile';
import { identifier, literal } from '../../../plugins/kibana-clickhouse/clickhouse/sql/literal';
import type { Expr, SelectNode } from '../../../plugins/kibana-clickhouse/clickhouse/sql/nodes';

const table: SelectNode = {
  columns: [as('c', aggregate('count'))],
  from: { kind: 'table', database: 'default', table: 'logs' },
};
const status: Expr = eq(column('status'), param(503, 'UInt16'));
const host: Expr = eq(column('host'), param('web-1', 'String'));
const from = (ms: number): Expr => binary('>=', column('ts'), param(ms, 'Int64'));

describe('compileSelect', () => {
  it('binds every value of a request: none of them stands in the text', () => {
    fc.assert(
      fc.property(fc.string({ minLength: 1 }), fc.integer(), (text, number) => {
        const marked = `\u0001${text}\u0001`;
        const statement = compileSelect({
          ...table,
          where: and([eq(column('a'), param(marked, 'String')), from(number)]),
          limit: 10,
        });
        expect(statement.sql).not.toContain(marked);
        expect(Object.values(statement.parameters)).toEqual([marked, number, 10]);
      }),
    );
  });

  it('numbers the parameters of subqueries and unions in one row', () => {
    const inner = (value: number): SelectNode => ({
      ...table,
      where: eq(column('x'), param(value, 'UInt8')),
    });
    const { sql, parameters } = compileSelect({
      columns: [as('c', column('c'))],
      from: { kind: 'union', selects: [inner(1), inner(2)] },
      limit: 3,
    });
    expect(parameters).toEqual({ p0: 1, p1: 2, p2: 3 });
    for (const name of Object.keys(parameters)) expect(sql.split(`{${name}:`)).toHaveLength(2);
  });

  it('refuses a function name that is not one', () => {
    const broken = aggregate('count()) FROM system.users --');
    expect(() => compileSelect({ ...table, columns: [as('c', broken)] })).toThrow(TypeError);
  });

  it('adds a condition to aggregates by the -If combinator, also to an aggregate that has one', () => {
    const once = filtered(aggregate('avg', column('bytes')), status);
    const twice = filtered(once, host);
    expect(once).toMatchObject({ kind: 'aggregate', fn: 'avg', filter: status });
    expect(twice).toMatchObject({ filter: { kind: 'and', terms: [status, host] } });
    expect(compileSelect({ ...table, columns: [as('a', twice)] }).sql).toContain('avgIf(');
  });
});

describe('readableText', () => {
  it('shows values in their places', () => {
    const text = readableText({ ...table, where: host, orderBy: [desc(column('c'))], limit: 5 });
    expect(text).toContain("'web-1'");
    expect(text).toContain('LIMIT 5');
  });
});

describe('fingerprint', () => {
  const of = (select: Partial<SelectNode>): string => fingerprint({ ...table, ...select });

  it('does not know the time range, the columns or the limit', () => {
    const bare = of({ where: host });
    expect(of({ where: host, timeRange: from(1), limit: 3, columns: [] })).toBe(bare);
    expect(of({ where: host, timeRange: from(2) })).toBe(bare);
  });

  it('is the same for the same conditions in another order', () => {
    expect(of({ where: and([host, not(or([status, host]))]) })).toBe(
      of({ where: and([not(or([host, status])), host]) }),
    );
  });

  it('differs by table, by value and by structure, and starts with its version', () => {
    const all = [
      of({}),
      of({ where: host }),
      of({ where: status }),
      of({ where: and([host, status]) }),
      of({ where: or([host, status]) }),
      of({ where: not(host) }),
      of({ from: { kind: 'table', database: 'default', table: 'other' } }),
    ];
    expect(new Set(all).size).toBe(all.length);
    for (const text of all) expect(text).toMatch(/^v1 /);
  });

  it('is the one of the innermost table, whatever stands around it', () => {
    const wrapped: SelectNode = {
      columns: [as('c', column('c'))],
      from: { kind: 'select', select: { ...table, where: host } },
    };
    expect(fingerprint(wrapped)).toBe(of({ where: host }));
  });
});

describe('cacheKey', () => {
  it('tells values of different types apart', () => {
    const key = (type: string): string =>
      cacheKey({ ...table, where: eq(column('a'), param(1, type)) });
    expect(key('UInt8')).not.toBe(key('Float64'));
  });

  it('knows the time range', () => {
    expect(cacheKey({ ...table, timeRange: from(1) })).not.toBe(
      cacheKey({ ...table, timeRange: from(2) }),
    );
  });
});

describe('literal', () => {
  it('leaves no quote or backslash unescaped, whatever the string', () => {
    fc.assert(
      fc.property(fc.string({ unit: 'binary' }), (text) => {
        const inside = literal(text).slice(1, -1);
        expect(inside.replace(/\\[\s\S]/g, '')).not.toMatch(/['\\]/);
      }),
    );
  });

  it('writes lists, NULL, booleans and numbers that are none', () => {
    expect(literal([1, null, true, 2n ** 64n - 1n])).toBe('[1, NULL, true, 18446744073709551615]');
    expect([NaN, Infinity, -Infinity].map(literal)).toEqual(['nan', 'inf', '-inf']);
    const where = binary('IN', column('a'), literals(['x', "y'"], 'String'));
    expect(compileSelect({ ...table, where }).sql).toContain("['x', 'y\\'']::Array(String)");
    expect(readableText({ ...table, where })).toContain("IN ('x', 'y\\'')");
  });

  it('quotes identifiers', () => {
    expect(identifier('a`b\\c')).toBe('`a\\`b\\\\c`');
  });
});
