import { Readable } from 'node:stream';
import {
  mergeHits,
  type MergedKey,
  type MergedPage,
} from '../../../plugins/kibana-clickhouse/search/union/merge-hits';

const key = (order: 'asc' | 'desc', over: Partial<MergedKey> = {}): MergedKey => ({
  key: { kind: 'field', field: 'f', order, missing: { kind: 'last' } },
  ...{ isAddress: false, isShown: true, isCompared: true },
  ...over,
});

const hit = (index: string, ...sort: readonly unknown[]): string =>
  `{"_index":"${index}","_source":{"t":",\\"sort\\":["}${sort.length > 0 ? `,"sort":${JSON.stringify(sort)}` : ''}}`;

const batches = (hits: readonly string[]): Readable => Readable.from(hits.map((one) => [one]));

async function merged(
  sources: readonly (readonly string[])[],
  page: MergedPage,
): Promise<readonly unknown[]> {
  const all: string[] = [];
  for await (const batch of mergeHits(
    sources.map((hits) => batches(hits)),
    page,
  ))
    all.push(...batch);
  return all.map((text) => {
    const { _index, sort = [] } = JSON.parse(text) as { _index: string; sort?: unknown[] };
    return [_index, ...sort];
  });
}

test('hits come in the order of the keys, equal ones in that of the indexes', async () => {
  const sources = [
    [hit('a', 3, 'y'), hit('a', 1, 'x')],
    [hit('b', 3, 'y'), hit('b', 3, 'z'), hit('b', null, 'a')],
  ];
  const page = { keys: [key('desc'), key('asc')], from: 0, size: 10 };
  expect(await merged(sources, page)).toEqual([
    ['a', 3, 'y'],
    ['b', 3, 'y'],
    ['b', 3, 'z'],
    ['a', 1, 'x'],
    ['b', null, 'a'],
  ]);
  expect(await merged(sources, { ...page, from: 1, size: 2 })).toEqual([
    ['b', 3, 'y'],
    ['b', 3, 'z'],
  ]);
});

test('hits without a sort come index by index', async () => {
  const page = { keys: [], from: 1, size: 2 };
  expect(await merged([[hit('a')], [hit('b'), hit('b')]], page)).toEqual([['b'], ['b']]);
});

test('what is printed is not compared, and what is compared need not be shown', async () => {
  const keys = [key('asc', { isCompared: false }), key('asc', { isShown: false })];
  const sources = [[hit('a', '10 May', 200)], [hit('b', '9 May', 100)]];
  expect(await merged(sources, { keys, from: 0, size: 9 })).toEqual([
    ['b', '9 May'],
    ['a', '10 May'],
  ]);
});

test.each([
  ['numbers beyond 2^53', [9007199254740993n, 9007199254740992n], {}],
  ['infinity', ['Infinity', 7], {}],
  ['bytes of texts', ['😀', '\uFFEE'], {}],
  ['addresses', ['10.0.0.10', '9.0.0.1'], { isAddress: true }],
])('%s are in order', async (_name, [high, low], over) => {
  const text = (index: string, value: unknown): string =>
    hit(index, 0).replace(
      '[0]',
      typeof value === 'bigint' ? `[${String(value)}]` : JSON.stringify([value]),
    );
  const sources = [[text('a', high)], [text('b', low)]];
  const order = await merged(sources, { keys: [key('asc', over)], from: 0, size: 2 });
  expect(order.map((one) => (one as readonly string[])[0])).toEqual(['b', 'a']);
});

test('texts and numbers have no order', async () => {
  const sources = [[hit('a', 'x')], [hit('b', 1)]];
  await expect(merged(sources, { keys: [key('asc')], from: 0, size: 2 })).rejects.toThrow(
    'unsupported',
  );
});

test('who leaves early ends all of them', async () => {
  const sources = ['a', 'b'].map((index) =>
    batches(Array.from({ length: 2_000 }, (_, i) => hit(index, i))),
  );
  const page = { keys: [key('asc')], from: 0, size: 4_000 };
  for await (const batch of mergeHits(sources, page)) {
    expect(batch.length).toBe(500);
    break;
  }
  expect(sources.map(({ destroyed }) => destroyed)).toEqual([true, true]);
});
