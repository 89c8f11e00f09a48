import { arrayElements } from '../../../plugins/kibana-clickhouse/common/json/array-elements';
import { readMsearch } from '../../../plugins/kibana-clickhouse/gateway/msearch/read-msearch';

const read = (text: string, pathIndex?: string) => {
  const { items, problem } = readMsearch(Buffer.from(text), pathIndex);
  return {
    expressions: items.map(({ expression }) => expression),
    items,
    problem: problem?.message,
  };
};

describe('readMsearch', () => {
  it('pairs lines and keeps their bytes', () => {
    const text = '{"index":"a"}\r\n{"size":0}\r\n{ }\n{}\n';
    const { items, expressions, problem } = read(text, 'p');
    expect(expressions).toEqual(['a', 'p']);
    expect(Buffer.concat(items.map(({ pair }) => pair)).toString()).toBe(text);
    expect(items[0]?.body.toString().trim()).toBe('{"size":0}');
    expect(problem).toBeUndefined();
  });

  it('reads index as a string or a list', () => {
    expect(read('{"index":["a","b"]}\n{}\n{"index":"a,b"}\n{}\n').expressions).toEqual([
      'a,b',
      'a,b',
    ]);
    expect(read('{"index":["a,b"]}\n{}\n{"index":[]}\n{}\n', 'p').expressions).toEqual([
      undefined,
      undefined,
    ]);
    expect(read('\n{"index":"a"}\n{}\n').expressions).toEqual(['a']);
    expect(read('\n\n{}\n', 'p').expressions).toEqual(['p']);
  });

  it('drops a last header without a body', () => {
    expect(read('{"index":"a"}\n{}\n{"index":"b"}\n').expressions).toEqual(['a']);
  });

  it('says what is wrong and still whose the searches are', () => {
    expect(read('{"index":"a"}\n{}').problem).toMatch(/must be terminated by a newline/);
    expect(read('{"index":"a"}\n{}').expressions).toEqual(['a']);
    expect(read('{"foo":1}\n{}\n').problem).toBe(
      'key [foo] is not supported in the metadata section',
    );
    expect(read('{"index":\n{}\n').problem).toBeDefined();
    expect(read('[]\n{}\n').problem).toBeDefined();
    expect(read('{"index":{}}\n{}\n').problem).toBeDefined();
  });
});

describe('arrayElements', () => {
  const elements = (text: string) =>
    arrayElements(Buffer.from(text), 'responses')?.map((one) => one.toString());

  it('cuts out elements as they are written', () => {
    expect(
      elements(
        '{"took":1,"x":{"responses":[0]},"responses" : [{"a":1.0,"b":"],}\\"["}, 12345678901234567890,[1,[2]]]}',
      ),
    ).toEqual(['{"a":1.0,"b":"],}\\"["}', ' 12345678901234567890', '[1,[2]]']);
    expect(elements('{"responses":[ ]}')).toEqual([]);
  });

  it('finds none where there is none', () => {
    expect(elements('{"responses":{}}')).toBeUndefined();
    expect(elements('["responses",[1]]')).toBeUndefined();
    expect(elements('')).toBeUndefined();
  });
});
