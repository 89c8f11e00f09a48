import { splitSql } from '../../dev/clickhouse/split-sql';

const texts = (script: string): readonly string[] => splitSql(script).map(({ text }) => text);

describe('splitSql', () => {
  it.each([
    ['no statement', '', []],
    ['only comments', '-- a; b\n/* c; */ # d;\n;;', []],
    ['a last statement without semicolon', 'SELECT 1;\nSELECT 2', ['SELECT 1', 'SELECT 2']],
    [
      'strings',
      "SELECT ';', 'it''s;', '\\';';SELECT 2",
      ["SELECT ';', 'it''s;', '\\';'", 'SELECT 2'],
    ],
    ['quoted names', 'SELECT ";", `a;\\`;`;SELECT 2', ['SELECT ";", `a;\\`;`', 'SELECT 2']],
    ['heredocs', 'SELECT $$a;b$$, $x$;$$;$x$;SELECT 2', ['SELECT $$a;b$$, $x$;$$;$x$', 'SELECT 2']],
    [
      'comments inside',
      'SELECT 1 -- ;\n+ /* ; */ 2;SELECT 3',
      ['SELECT 1 -- ;\n+ /* ; */ 2', 'SELECT 3'],
    ],
    ['minus signs', 'SELECT 1 - -1; SELECT 2', ['SELECT 1 - -1', 'SELECT 2']],
    [
      'inline data',
      'INSERT INTO t FORMAT JSONEachRow {"a":"it\'s; y"}\n{"a":"b"};\nSELECT 1',
      ['INSERT INTO t FORMAT JSONEachRow {"a":"it\'s; y"}\n{"a":"b"}', 'SELECT 1'],
    ],
    [
      'values and FORMAT clauses of a SELECT',
      "INSERT INTO t FORMAT Values ('a;'), (';'); SELECT 1 FORMAT JSON ; SELECT ';'",
      ["INSERT INTO t FORMAT Values ('a;'), (';')", 'SELECT 1 FORMAT JSON', "SELECT ';'"],
    ],
  ])('%s', (_, script, expected) => {
    expect(texts(script)).toEqual(expected);
  });

  it('knows the line of each first word', () => {
    const lines = splitSql('-- head\nSELECT 1;\n\n/* x */\n SELECT 2').map(({ line }) => line);
    expect(lines).toEqual([2, 5]);
  });
});
