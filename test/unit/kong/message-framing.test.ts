import { encode } from '@msgpack/msgpack';
import fc from 'fast-check';
import { MessageFraming } from '../../../plugins/kibana-clickhouse/kong/message-framing';

const value = fc.letrec((tie) => ({
  any: fc.oneof(
    { maxDepth: 4 },
    fc.integer(),
    fc.bigInt({ min: -(2n ** 63n), max: 2n ** 63n - 1n }),
    fc.double(),
    fc.boolean(),
    fc.constant(null),
    fc.string({ maxLength: 40 }),
    fc.uint8Array({ maxLength: 300 }),
    fc.date({ noInvalidDate: true }),
    fc.array(tie('any'), { maxLength: 20 }),
    fc.dictionary(fc.string({ maxLength: 5 }), tie('any'), { maxKeys: 20 }),
  ),
})).any;

const bytesOf = (message: unknown): Buffer => Buffer.from(encode(message, { useBigInt64: true }));

/** Cuts bytes at any positions. */
function cut(bytes: Buffer, positions: readonly number[]): readonly Buffer[] {
  const ends = [...positions.map((p) => p % (bytes.length + 1)), bytes.length].sort(
    (a, b) => a - b,
  );
  return ends.map((end, i) => bytes.subarray(ends[i - 1] ?? 0, end));
}

test('messages come out whole and in order, however they are cut and joined', () => {
  fc.assert(
    fc.property(
      fc.array(value, { maxLength: 6 }),
      fc.array(fc.nat(), { maxLength: 12 }),
      (messages, at) => {
        const expected = messages.map(bytesOf);
        const framing = new MessageFraming();
        const got = cut(Buffer.concat(expected), at).flatMap((chunk) => framing.push(chunk));
        expect(got.map(String)).toEqual(expected.map(String));
        expect(Buffer.concat(got).equals(Buffer.concat(expected))).toBe(true);
      },
    ),
    { numRuns: 2_000 },
  );
});

/** One message of each format of the MessagePack specification that the encoder above seldom writes. */
const FORMATS: readonly (readonly [string, Buffer])[] = [
  ['positive fixint', Buffer.of(0x7f)],
  ['negative fixint', Buffer.of(0xe0)],
  ['float 32', Buffer.of(0xca, 1, 2, 3, 4)],
  ['uint 8', Buffer.of(0xcc, 0xff)],
  ['int 16', Buffer.of(0xd1, 1, 2)],
  ['fixext 1', Buffer.of(0xd4, 5, 1)],
  ['fixext 16', Buffer.concat([Buffer.of(0xd8, 5), Buffer.alloc(16)])],
  ['ext 8', Buffer.of(0xc7, 2, 5, 1, 2)],
  ['ext 32', Buffer.of(0xc9, 0, 0, 0, 2, 5, 1, 2)],
  ['str 16', Buffer.concat([Buffer.of(0xda, 1, 0), Buffer.alloc(256)])],
  ['str 32', Buffer.concat([Buffer.of(0xdb, 0, 1, 0, 0), Buffer.alloc(65_536)])],
  ['bin 32', Buffer.concat([Buffer.of(0xc6, 0, 0, 0, 1), Buffer.alloc(1)])],
  ['array 16', Buffer.of(0xdc, 0, 2, 0xc0, 0xc3)],
  ['array 32', Buffer.of(0xdd, 0, 0, 0, 1, 0x91, 0xc2)],
  ['map 16', Buffer.of(0xde, 0, 1, 0xa1, 0x61, 0x80)],
  ['map 32', Buffer.of(0xdf, 0, 0, 0, 0)],
];

test.each(FORMATS)('%s is cut off behind its last byte', (_name, bytes) => {
  const framing = new MessageFraming();
  expect(framing.push(bytes.subarray(0, -1))).toEqual([]);
  expect(framing.push(Buffer.concat([bytes.subarray(-1), Buffer.of(0xc0)]))).toEqual([
    bytes,
    Buffer.of(0xc0),
  ]);
});
