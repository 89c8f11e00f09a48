import fc from 'fast-check';
import type { ElasticsearchError } from '../../../plugins/kibana-clickhouse/common/errors/elasticsearch-error';
import { parseJson } from '../../../plugins/kibana-clickhouse/common/json/parse-json';
import { writeJson } from '../../../plugins/kibana-clickhouse/common/json/write-json';

function failure(text: string | Uint8Array): ElasticsearchError {
  try {
    parseJson(text);
  } catch (error) {
    return error as ElasticsearchError;
  }
  throw new Error(`parsed: ${String(text)}`);
}

describe('parseJson', () => {
  test('gives what JSON.parse gives for any JSON', () => {
    fc.assert(
      fc.property(fc.json({ maxDepth: 6 }), fc.nat(4), (text, indent) => {
        fc.pre(!/\d{16}/.test(text));
        const value: unknown = JSON.parse(text);
        expect(parseJson(JSON.stringify(value, null, indent))).toEqual(value);
        expect(parseJson(Buffer.from(text))).toEqual(value);
      }),
      { numRuns: 500 },
    );
  });

  test('keeps integers beyond 2^53 exact', () => {
    expect(parseJson('[9007199254740993, -9223372036854775808, 9007199254740991]')).toEqual([
      9007199254740993n,
      -9223372036854775808n,
      9007199254740991,
    ]);
    expect(parseJson('1e30')).toBe(1e30);
  });

  test('reads numbers, comments and a byte order mark', () => {
    expect(parseJson('// a\n{"a": /* b */ [-0.5e-1, 0, 1E+2]} // c')).toEqual({
      a: [-0.05, 0, 100],
    });
    expect(parseJson(Buffer.from('\uFEFF{}'))).toEqual({});
  });

  test('takes __proto__ for a key like any other', () => {
    const value = parseJson('{"__proto__": {"a": 1}, "constructor": 2}');
    expect(Object.keys(value as object)).toEqual(['__proto__', 'constructor']);
    expect(Object.getPrototypeOf(value)).toBe(Object.prototype);
  });

  test.each([
    ['{"query":{},"query":{}}', "Duplicate field 'query'"],
    [
      '{"a" 1}',
      "Unexpected character ('1' (code 49)): was expecting a colon to separate field name and value",
    ],
    [
      '{"a":1,}',
      "Unexpected character ('}' (code 125)): was expecting double-quote to start field name",
    ],
    [
      '{a:1}',
      "Unexpected character ('a' (code 97)): was expecting double-quote to start field name",
    ],
    [
      '[1 2]',
      "Unexpected character ('2' (code 50)): was expecting comma to separate Array entries",
    ],
    [
      '{"a":foo}',
      "Unrecognized token 'foo': was expecting (JSON String, Number, Array, Object or token 'null', 'true' or 'false')",
    ],
    [
      '{"a":NaN}',
      "Unrecognized token 'NaN': was expecting (JSON String, Number, Array, Object or token 'null', 'true' or 'false')",
    ],
    ['[01]', 'Invalid numeric value: Leading zeroes not allowed'],
    [
      '"a\nb"',
      'Illegal unquoted character ((CTRL-CHAR, code 10)): has to be escaped using backslash to be included in string value',
    ],
    ['"\\x"', "Unrecognized character escape 'x' (code 120)"],
    ['{} x', "Unexpected character ('x' (code 120)): expected the end of the document"],
  ])('refuses %s', (text, reason) => {
    const error = failure(text);
    expect([error.status, error.type, error.message]).toEqual([
      400,
      'json_parse_exception',
      reason,
    ]);
  });

  test.each([
    '',
    '{',
    '{"a"',
    '{"a":',
    '{"a":1',
    '{"a":1,',
    '[1',
    '"ab',
    '"\\',
    '"\\u00',
    'tru',
    '/* a',
  ])('says that %s ends too early', (text) => {
    const error = failure(text);
    expect([error.status, error.type]).toEqual([400, 'json_e_o_f_exception']);
    expect(error.message).toMatch(/^Unexpected end-of-input/);
  });

  test('every prefix of a document is refused as too short', () => {
    const text = '{"a":[true,null,{"b\\u00e4":"c"}],"d":false}';
    for (let length = 0; length < text.length; length += 1)
      expect(failure(text.slice(0, length)).type).toBe('json_e_o_f_exception');
  });

  test('names line and column', () => {
    expect(failure('{\n  "a": foo\n}').detail).toEqual({ line: 2, col: 8 });
  });

  test('refuses bytes that are no UTF-8', () => {
    expect(failure(Buffer.from([0x22, 0xff, 0x22])).type).toBe('json_parse_exception');
  });

  test('bounds nesting and number length', () => {
    expect(parseJson('['.repeat(1000) + ']'.repeat(1000))).toBeDefined();
    expect(failure('['.repeat(1_000_000)).message).toMatch(/^Document nesting depth \(1001\)/);
    expect(failure('{"a":'.repeat(1_000_000)).message).toMatch(/^Document nesting depth \(1001\)/);
    expect(failure('1'.repeat(2000)).message).toMatch(/^Number value length/);
  });
});

describe('writeJson', () => {
  test('writes what parseJson read', () => {
    const text = '{"a":[9007199254740993,1.5,"x\\n",null,{"b":true}],"c":-1}';
    expect(writeJson(parseJson(text))).toBe(text);
  });
});
