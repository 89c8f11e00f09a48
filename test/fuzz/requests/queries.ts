import * as fc from 'fast-check';
import type { JsonObject, JsonValue } from '../../../plugins/kibana-clickhouse/common/json/json';
import type { FuzzDocuments, FuzzField } from '../documents/field';
import type { Spread } from '../documents/instants';
import { fieldsOfKind, mostly, options, seldom, valueOf } from './context';
import { type DateKind, dateRanges, dateTexts, ends } from './date-values';
import { geoQueries } from './geo-queries';
import { queryStrings, simpleQueryStrings } from './query-strings';
import { scriptQueries } from './script-queries';
import { scoredQueries, stringQueries } from './string-queries';
import { textQueries } from './text-queries';

const exactKinds = [
  'keyword',
  'integer',
  'decimal',
  'boolean',
  'ip',
  'date',
  'date_nanos',
] as const;

/** Values that a field of another type would take, or that no field takes. */
const strange = fc.constantFrom<JsonValue>(
  'abc',
  '',
  -1,
  1.5,
  300,
  '1e3',
  true,
  'true',
  '9223372036854775808',
  1e30,
  '10.0.0.0/8',
  '::/0',
  '300.1.1.1',
  '2024',
);

const dateKind = ({ kind }: FuzzField): DateKind => (kind === 'date_nanos' ? kind : 'date');

const isDate = ({ kind }: FuzzField): boolean => kind === 'date' || kind === 'date_nanos';

function wanted(field: FuzzField, documents: FuzzDocuments): fc.Arbitrary<JsonValue> {
  if (isDate(field))
    return fc.oneof(valueOf(field), dateTexts(spreadOf(field, documents), dateKind(field)));
  if (field.kind === 'ip')
    return mostly(
      fc.oneof(
        valueOf(field),
        fc.constantFrom('10.0.0.0/24', '192.168.0.0/16', '2001:db8::/32', '::ffff:10.0.0.1'),
      ),
      strange,
      120,
    );
  if (field.kind === 'keyword')
    return mostly(valueOf(field), fc.constantFrom('web-1', 'WEB-1', 'zzz', 5, true), 8);
  return mostly(
    fc.oneof(
      { weight: 4, arbitrary: valueOf(field) },
      { weight: 1, arbitrary: valueOf(field).map(String) },
    ),
    strange,
    120,
  );
}

/** Ends of a range: networks are refused there. */
const addresses = (field: FuzzField): fc.Arbitrary<JsonValue> =>
  mostly(
    fc.oneof(valueOf(field), fc.constantFrom('::ffff:10.0.0.1', '10.0.0.128')),
    fc.constant('10.0.0.0/24'),
    120,
  );

// `_name` is refused
const boosted = { boost: fc.constantFrom(1, 2, 0.5) };

const termOf =
  (documents: FuzzDocuments) =>
  (field: FuzzField): fc.Arbitrary<JsonObject> => {
    const value = wanted(field, documents);
    const folding = field.kind === 'keyword' ? { case_insensitive: fc.boolean() } : {};
    const long = fc
      .tuple(options({ value, ...folding }, ['value']), seldom(8, boosted))
      .map(([body, extra]): JsonValue => ({ ...body, ...extra }));
    return fc.oneof(value, long).map((body) => ({ term: { [field.name]: body } }));
  };

const termsOf =
  (documents: FuzzDocuments) =>
  (field: FuzzField): fc.Arbitrary<JsonObject> =>
    fc
      .tuple(fc.array(wanted(field, documents), { maxLength: 4 }), seldom(8, boosted))
      .map(([values, extra]) => ({ terms: { [field.name]: values, ...extra } }));

const rangeOf =
  (documents: FuzzDocuments) =>
  (field: FuzzField): fc.Arbitrary<JsonObject> => {
    const bounds = isDate(field)
      ? dateRanges(spreadOf(field, documents), dateKind(field))
      : ends(field.kind === 'ip' ? addresses(field) : wanted(field, documents));
    return fc
      .tuple(bounds, seldom(20, boosted))
      .map(([body, extra]) => ({ range: { [field.name]: { ...body, ...extra } } }));
  };

/** A date_nanos cannot be asked for times before 1970. */
const spreadOf = ({ kind }: FuzzField, { firstMs, lastMs }: FuzzDocuments): Spread => ({
  firstMs: kind === 'date_nanos' ? Math.max(firstMs, 86_400_000) : firstMs,
  lastMs: kind === 'date_nanos' ? Math.max(lastMs, 90_000_000) : lastMs,
});

function existsOf({ fields }: FuzzDocuments): fc.Arbitrary<JsonObject> {
  const names = [
    ...fields.map(({ name }) => name),
    'labels',
    'gauges',
    'unknown',
    '_id',
    'labels.*',
  ];
  return fc
    .tuple(fc.constantFrom(...names), seldom(8, boosted))
    .map(([field, extra]) => ({ exists: { field, ...extra } }));
}

const all = seldom(8, boosted).map((extra) => ({ match_all: extra }));
const none = seldom(8, boosted).map((extra) => ({ match_none: extra }));

function leaves(documents: FuzzDocuments): fc.Arbitrary<JsonObject> {
  const unknown: FuzzField = { name: 'unknown', kind: 'keyword', values: ['x'] };
  const exact = fieldsOfKind(documents, ...exactKinds);
  const field = fc.oneof(
    { weight: 30, arbitrary: fc.constantFrom(...exact) },
    { weight: 1, arbitrary: fc.constant(unknown) },
  );
  const times = fc.constantFrom(...fieldsOfKind(documents, 'date', 'date_nanos'));
  const range = rangeOf(documents);
  return fc.oneof(
    { weight: 60, arbitrary: times.chain(range) },
    { weight: 40, arbitrary: field.chain(range) },
    { weight: 50, arbitrary: field.chain(termOf(documents)) },
    { weight: 40, arbitrary: field.chain(termsOf(documents)) },
    { weight: 40, arbitrary: existsOf(documents) },
    { weight: 30, arbitrary: queryStrings(documents) },
    { weight: 12, arbitrary: simpleQueryStrings(documents) },
    { weight: 40, arbitrary: stringQueries(documents) },
    { weight: 30, arbitrary: textQueries(documents) },
    { weight: 12, arbitrary: geoQueries(documents) },
    { weight: 12, arbitrary: scriptQueries(documents) },
    { weight: 20, arbitrary: all },
    { weight: 5, arbitrary: none },
  );
}

const minimums = fc.constantFrom<JsonValue>(0, 1, 2, -1, '1', '50%', '-25%', '2<75%', '100%');

const clauseList = (query: fc.Arbitrary<JsonObject>): fc.Arbitrary<JsonValue> =>
  fc.oneof(
    { weight: 6, arbitrary: fc.array(query, { maxLength: 3 }) },
    { weight: 1, arbitrary: query },
  );

const boolOf = (query: fc.Arbitrary<JsonObject>): fc.Arbitrary<JsonObject> =>
  fc
    .tuple(
      options({
        must: clauseList(query),
        filter: clauseList(query),
        should: clauseList(query),
        must_not: clauseList(query),
      }),
      fc.oneof(
        { weight: 3, arbitrary: fc.constant({}) },
        {
          weight: 1,
          arbitrary: options({
            minimum_should_match: minimums,
            adjust_pure_negative: fc.boolean(),
          }),
        },
      ),
      seldom(8, boosted),
    )
    .map(([clauses, extra, names]) => ({ bool: { ...clauses, ...extra, ...names } }));

/** Query trees of up to three levels. */
export function queries(documents: FuzzDocuments): fc.Arbitrary<JsonObject> {
  const leaf = leaves(documents);
  const { query } = fc.letrec<{ query: JsonObject }>((tie) => ({
    query: fc.oneof(
      { maxDepth: 2, depthSize: 'small' },
      { weight: 30, arbitrary: leaf },
      { weight: 40, arbitrary: boolOf(tie('query')) },
      {
        weight: 6,
        arbitrary: fc
          .tuple(tie('query'), seldom(8, boosted))
          .map(([filter, extra]) => ({ constant_score: { filter, ...extra } })),
      },
      { weight: 6, arbitrary: scoredQueries(tie('query')) },
    ),
  }));
  return query;
}
