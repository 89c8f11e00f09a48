import * as fc from 'fast-check';
import type { JsonObject, JsonValue } from '../../../plugins/kibana-clickhouse/common/json/json';
import { type FuzzDocuments, uniqueField } from '../documents/field';
import { fieldsOfKind, options, timeZones } from './context';

/** Ranges of dates, around and between those of the documents. */
function dateRanges({ firstMs, lastMs }: FuzzDocuments): fc.Arbitrary<JsonObject> {
  const step = Math.max(1, Math.round((lastMs - firstMs) / 4));
  const end = fc.integer({ min: -1, max: 5 }).map((steps) => firstMs + steps * step);
  return fc
    .tuple(
      fc.array(options({ from: end, to: end }), { minLength: 1, maxLength: 3 }),
      options({ time_zone: timeZones, keyed: fc.constant(false) }),
    )
    .map(([ranges, rest]) => ({ date_range: { field: '@timestamp', ranges, ...rest } }));
}

function addressRanges(documents: FuzzDocuments): fc.Arbitrary<JsonObject> {
  const fields = fieldsOfKind(documents, 'ip').map(({ name }) => name);
  return fc.constantFrom('unknown', ...fields, ...fields).map((field) => ({
    ip_range: { field, ranges: [{ to: '10.0.0.128' }, { mask: '10.0.0.0/8' }, { from: '::1' }] },
  }));
}

function combinations(documents: FuzzDocuments): fc.Arbitrary<JsonObject> {
  const fields = fieldsOfKind(documents, 'keyword', 'integer', 'boolean').map(({ name }) => name);
  const pair = fc.uniqueArray(fc.constantFrom(...fields, uniqueField), {
    minLength: 2,
    maxLength: 2,
  });
  return fc
    .tuple(pair, options({ size: fc.constantFrom<JsonValue>(1, 3, 10) }))
    .map(([names, rest]) => ({
      multi_terms: { terms: names.map((field) => ({ field })), ...rest },
    }));
}

/** Buckets of other kinds than terms and histograms that can stand at any depth. */
export const furtherBuckets = (documents: FuzzDocuments): fc.Arbitrary<JsonObject> =>
  fc.oneof(
    { weight: 3, arbitrary: dateRanges(documents) },
    { weight: 1, arbitrary: addressRanges(documents) },
    { weight: 2, arbitrary: combinations(documents) },
    { weight: 1, arbitrary: fc.constant({ terms: { field: '_index' } }) },
  );

/** A composite of one to three sources, from its beginning; it stands at the top. */
export function compositeOf(documents: FuzzDocuments): fc.Arbitrary<JsonObject> {
  const words = fieldsOfKind(documents, 'keyword', 'boolean').map(({ name }) => name);
  const direction = fc.constantFrom('asc', 'desc');
  const shared = { order: direction, missing_bucket: fc.boolean() };
  const source = fc.oneof(
    fc
      .tuple(fc.constantFrom(...words, uniqueField), options(shared))
      .map(([field, rest]) => ({ terms: { field, ...rest } })),
    fc
      .tuple(fc.constantFrom(7, 25), options({ order: direction }))
      .map(([interval, rest]) => ({ histogram: { field: uniqueField, interval, ...rest } })),
    options({ order: direction, time_zone: timeZones }).map((rest) => ({
      date_histogram: { field: '@timestamp', calendar_interval: 'day', ...rest },
    })),
  );
  return fc
    .tuple(
      fc.array(source, { minLength: 1, maxLength: 3 }),
      options({ size: fc.constantFrom<JsonValue>(1, 5, 50) }),
    )
    .map(([sources, rest]) => ({
      composite: {
        sources: sources.map((one, at) => ({ [`s${String(at)}`]: one })),
        ...rest,
      },
    }));
}
