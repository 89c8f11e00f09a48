import { connect } from 'node:net';
import * as fc from 'fast-check';
import { encodeHandover, HANDOVER_HEADER } from '../../plugins/kibana-clickhouse/gateway/handover';
import { AnswerProcessUnderTest } from './support';

jest.setTimeout(120_000);

let target: AnswerProcessUnderTest;

beforeAll(async () => {
  target = await AnswerProcessUnderTest.start();
  await target.configure('r', { settings: { proxy: { whiteIndexList: ['logs'] } } });
});

afterAll(() => target.stop());

/** Sends bytes as they are; gives the statuses that come back until the other side closes, or says nothing for a while. */
function statuses(bytes: Buffer, { ends = true } = {}): Promise<readonly number[]> {
  return new Promise((resolve) => {
    const chunks: Buffer[] = [];
    const socket = connect(target.port, '127.0.0.1', () => {
      socket.write(bytes);
      if (ends) socket.end();
    });
    socket
      .setTimeout(2_000, () => socket.destroy())
      .on('data', (chunk: Buffer) => chunks.push(chunk))
      .on('error', () => undefined)
      .on('close', () => {
        const text = Buffer.concat(chunks).toString('latin1');
        resolve([...text.matchAll(/HTTP\/1\.1 (\d{3}) /g)].map(([, status]) => Number(status)));
      });
  });
}

const alive = async (): Promise<number> =>
  (await target.call({ path: '/health/live', handover: { role: 'admin' } })).status;

const handover = (role: 'proxy' | 'admin' = 'proxy'): string =>
  encodeHandover({ secret: target.secret, runtime: 'r', role, prefix: '' });

const lines = (...all: readonly string[]): string => `${all.join('\r\n')}\r\n\r\n`;

it.each([
  ['two lengths', ['Content-Length: 2', 'Content-Length: 40']],
  ['a length and chunks', ['Content-Length: 40', 'Transfer-Encoding: chunked']],
  ['chunks in another spelling', ['Transfer-Encoding: xchunked']],
  ['chunks twice', ['Transfer-Encoding: chunked, chunked']],
  ['a length that is none', ['Content-Length: +2']],
  ['a name with a space', ['Content-Length : 2']],
])('a request with %s hides no second one', async (_what, headers) => {
  const first = [
    'POST /config/all HTTP/1.1',
    'Host: a',
    `${HANDOVER_HEADER}: ${handover()}`,
    ...headers,
  ];
  const second = lines('GET /config/all HTTP/1.1', 'Host: a', 'Connection: close');
  const found = await statuses(Buffer.from(`${lines(...first)}{}${second}`));
  expect(found.filter((status) => status < 400)).toEqual([]);
  expect(await alive()).toBe(200);
});

it('asks every request on one connection for the secret', async () => {
  const first = lines(
    'GET /health/live HTTP/1.1',
    'Host: a',
    `${HANDOVER_HEADER}: ${handover('admin')}`,
  );
  const second = lines('GET /health/live HTTP/1.1', 'Host: a', 'Connection: close');
  expect(await statuses(Buffer.from(first + second), { ends: false })).toEqual([200, 403]);
});

it.each([
  [
    'two hand-overs',
    (own: string) => [`${HANDOVER_HEADER}: rubbish`, `${HANDOVER_HEADER}: ${own}`],
  ],
  [
    'one of them the role of the administration',
    (own: string) => [`${HANDOVER_HEADER}: ${own}`, `${HANDOVER_HEADER}: ${own}`],
  ],
])('takes no request with %s for one of the administration', async (_what, headers) => {
  const text = lines(
    'GET /config/all HTTP/1.1',
    'Host: a',
    'Connection: close',
    ...headers(handover()),
  );
  const found = await statuses(Buffer.from(text));
  expect(found.length).toBe(1);
  expect(found.filter((status) => status < 400)).toEqual([]);
});

const valid = lines(
  'POST /logs/_search?size=1 HTTP/1.1',
  'Host: a',
  'Content-Type: application/json',
  'Content-Length: 2',
  'Connection: close',
).concat('{}');

it('answers nothing but errors to bytes that are nearly a request, and lives on', async () => {
  const piece = fc.oneof(
    fc.constantFrom(
      '\r\n',
      '\n',
      ' ',
      ':',
      '\0',
      '%2e%2e/',
      '//',
      'HTTP/1.1',
      'Transfer-Encoding: chunked\r\n',
      'Content-Length: 9\r\n',
    ),
    fc.uint8Array({ maxLength: 12 }).map((bytes) => Buffer.from(bytes).toString('latin1')),
  );
  const mutations = fc.array(fc.record({ at: fc.nat(valid.length), cut: fc.nat(20), piece }), {
    minLength: 1,
    maxLength: 6,
  });
  await fc.assert(
    fc.asyncProperty(mutations, async (all) => {
      const text = all.reduce(
        (now, { at, cut, piece: put }) => now.slice(0, at) + put + now.slice(at + cut),
        valid,
      );
      const found = await statuses(Buffer.from(text, 'latin1'));
      expect(found.filter((status) => status < 400 || status === 500)).toEqual([]);
    }),
    { seed: 4, numRuns: 400 },
  );
  expect(await alive()).toBe(200);
});
