import fc from 'fast-check';
import {
  documentId,
  parseDocumentId,
} from '../../../plugins/kibana-clickhouse/search/hits/document-id';

const hash = fc.integer({ min: 0, max: 2 ** 48 - 1 });
const time = fc.integer({ min: -(2 ** 42), max: 2 ** 47 });

test('an id is read back as what it was made of', () => {
  fc.assert(
    fc.property(fc.option(time, { nil: undefined }), hash, hash, (timeMs, high, low) => {
      expect(parseDocumentId(documentId({ timeMs, high, low }))).toEqual({ timeMs, high, low });
    }),
  );
});

test('ids stand in the order of time', () => {
  fc.assert(
    fc.property(time, time, hash, (a, b, any) => {
      const [first, second] = [a, b].map((timeMs) => documentId({ timeMs, high: any, low: any }));
      expect(Math.sign(a - b)).toBe(first === second ? 0 : String(first) < String(second) ? -1 : 1);
    }),
  );
});

test('times that no calendar has are left out', () => {
  for (const timeMs of [-(2 ** 43), 2 ** 63, Number.NaN])
    expect(parseDocumentId(documentId({ timeMs, high: 1, low: 2 }))).toEqual({
      timeMs: undefined,
      high: 1,
      low: 2,
    });
});

test.each(['', 'abc', '-'.repeat(28), 'z'.repeat(28), '0'.repeat(29)])('%j is no id', (id) => {
  expect(parseDocumentId(id)).toBeUndefined();
});
