import * as fc from 'fast-check';
import {
  type JsonObject,
  type JsonValue,
  isJsonObject,
} from '../../../plugins/kibana-clickhouse/common/json/json';
import { type FuzzDocuments, type FuzzField, uniqueField } from '../documents/field';
import { dateFormats, fieldsOfKind, mostly, options, valueOf } from './context';

const orders = fc.constantFrom('asc', 'desc');
const ends = fc.constantFrom<JsonValue>('_first', '_last');

const isDate = ({ kind }: FuzzField): boolean => kind === 'date' || kind === 'date_nanos';

/** In place of a missing value: one of the documents' own, or a small number. */
const standIn = (field: FuzzField): fc.Arbitrary<JsonValue> =>
  field.kind === 'integer' ? fc.constantFrom<JsonValue>(0, 1, -5, 1000) : valueOf(field);

/** As date_nanos, Elasticsearch refuses all documents as soon as one of them is before 1970. */
function fieldSort(field: FuzzField, since1970: boolean): fc.Arbitrary<JsonObject> {
  const takesValue = ['keyword', 'integer', 'decimal'].includes(field.kind);
  const made = options({
    order: orders,
    missing: takesValue
      ? fc.oneof({ weight: 2, arbitrary: ends }, { weight: 1, arbitrary: standIn(field) })
      : ends,
    mode: fc.constantFrom('min', 'max'),
    unmapped_type: fc.constantFrom('boolean', 'keyword', 'long', 'date'),
    ...(isDate(field) && {
      format: dateFormats,
      numeric_type: fc.constantFrom('date', ...(since1970 ? ['date_nanos'] : [])),
    }),
  });
  return made.map((body) => ({ [field.name]: body }));
}

const unmapped = options(
  {
    order: orders,
    missing: ends,
    unmapped_type: fc.constantFrom('boolean', 'keyword', 'long', 'date', 'double', 'ip'),
  },
  ['unmapped_type'],
).map((body) => ({ unknown: body }));

function sortKeys(documents: FuzzDocuments): fc.Arbitrary<JsonValue> {
  const fields = fieldsOfKind(
    documents,
    'keyword',
    'integer',
    'decimal',
    'boolean',
    'ip',
    'date',
    'date_nanos',
  );
  const field = fc.constantFrom(...fields);
  return fc.oneof<fc.Arbitrary<JsonValue>[]>(
    ...Array.from({ length: 5 }, () =>
      field.chain((one) => fieldSort(one, documents.firstMs >= 0)),
    ),
    fc.tuple(field, orders).map(([{ name }, order]) => ({ [name]: order })),
    field.map(({ name }) => name),
    fc.constantFrom<JsonValue>(
      '_score',
      '_doc',
      { _score: 'asc' },
      { _score: { order: 'desc' } },
      { _doc: 'asc' },
    ),
    unmapped,
    mostly(fc.constant(uniqueField), fc.constant('unknown'), 5),
  );
}

/** Most sorts end with a key that no two documents share: which of equal hits comes first is free otherwise. */
function sorts(documents: FuzzDocuments): fc.Arbitrary<JsonValue> {
  const key = sortKeys(documents);
  const total = fc
    .tuple(fc.array(key, { minLength: 1, maxLength: 3 }), orders)
    .map(([keys, order]): JsonValue => [...keys, { [uniqueField]: order }]);
  return fc.oneof({ weight: 1, arbitrary: key }, { weight: 8, arbitrary: total });
}

/** The first hits of a bucket. Their order is always complete. */
export function topHits(documents: FuzzDocuments): fc.Arbitrary<JsonObject> {
  const fields = fieldsOfKind(documents, 'keyword', 'integer', 'decimal', 'boolean', 'ip', 'date');
  const key = fc.constantFrom(...fields).chain((field) => fieldSort(field, false));
  const sort = fc
    .tuple(fc.array(key, { maxLength: 2 }), orders)
    .map(([keys, order]): JsonValue => [...keys, { [uniqueField]: order }]);
  const body = options(
    {
      sort,
      size: fc.constantFrom<JsonValue>(1, 2, 5),
      from: fc.constantFrom<JsonValue>(0, 1),
      _source: sources(documents),
      fields: fetched(documents),
      docvalue_fields: docvalues(documents),
      version: fc.boolean(),
      track_scores: fc.constant(false),
    },
    ['sort'],
  );
  return body.map((made) => ({ top_hits: made }));
}

/** Names of fields, and patterns that take some of them. */
const names = ({ fields }: FuzzDocuments): fc.Arbitrary<string> =>
  fc.constantFrom(
    ...fields.map(({ name }) => name),
    '*',
    's*',
    '*e*',
    'labels.*',
    'l*',
    '@*',
    'unknown',
    'labels',
    'message*',
  );

function sources(documents: FuzzDocuments): fc.Arbitrary<JsonValue> {
  // parts of a Map are refused by name: _source takes columns whole
  const name = fc.constantFrom(
    ...documents.columns.map((column) => column.name),
    '*',
    's*',
    '*e*',
    '@*',
    'unknown',
  );
  const list = fc.array(name, { maxLength: 3 });
  return fc.oneof(
    fc.boolean(),
    name,
    list,
    options({ includes: list, excludes: list }),
    options({ excludes: name }),
  );
}

/** `fields`, with formats for dates. */
function fetched(documents: FuzzDocuments): fc.Arbitrary<JsonValue> {
  const date = fc
    .tuple(fc.constantFrom(...fieldsOfKind(documents, 'date', 'date_nanos')), dateFormats)
    .map(([{ name }, format]) => ({ field: name, format }));
  const object = fc
    .tuple(names(documents), options({ include_unmapped: fc.boolean() }))
    .map(([field, rest]) => ({ field, ...rest }));
  return fc.array(fc.oneof<fc.Arbitrary<JsonValue>[]>(names(documents), date, object), {
    minLength: 1,
    maxLength: 4,
  });
}

/** `docvalue_fields`: fields that have doc values, with formats for dates. */
function docvalues(documents: FuzzDocuments): fc.Arbitrary<JsonValue> {
  const fields = fieldsOfKind(
    documents,
    'keyword',
    'integer',
    'decimal',
    'boolean',
    'ip',
    'date',
    'date_nanos',
  );
  const one = fc.constantFrom(...fields).chain((field) =>
    fc.oneof<fc.Arbitrary<JsonValue>[]>(
      fc.constant(field.name),
      (isDate(field)
        ? fc.oneof(dateFormats, fc.constant('use_field_mapping'))
        : fc.constant('use_field_mapping')
      ).map((format) => ({ field: field.name, format })),
    ),
  );
  // a field that is named twice has its values twice in Elasticsearch
  return fc.uniqueArray(one, { minLength: 1, maxLength: 4, selector: nameOf });
}

const nameOf = (selector: JsonValue): JsonValue | undefined =>
  isJsonObject(selector) ? selector['field'] : selector;

/** What a search says about its hits and their number. */
export const hitOptions = (documents: FuzzDocuments): fc.Arbitrary<JsonObject> =>
  fc
    .tuple(
      options({
        sort: sorts(documents),
        size: fc.constantFrom<JsonValue>(0, 1, 3, 10, 50),
        from: fc.constantFrom<JsonValue>(0, 1, 5, 40),
      }),
      options({
        _source: sources(documents),
        track_total_hits: fc.constantFrom<JsonValue>(true, true, false, 5, 1000, 0, -1),
      }),
      fc.oneof(
        { weight: 2, arbitrary: fc.constant({}) },
        {
          weight: 2,
          arbitrary: options({ fields: fetched(documents), docvalue_fields: docvalues(documents) }),
        },
        {
          weight: 1,
          arbitrary: options({
            version: fc.boolean(),
            seq_no_primary_term: fc.constant(false),
            track_scores: fc.boolean(),
            stored_fields: fc.constant(['*']),
            script_fields: fc.constant({}),
            timeout: fc.constant('30s'),
          }),
        },
      ),
      mostly(
        fc.constant({}),
        fc.constantFrom<JsonValue>(
          { size: 10_001 },
          { size: -5 },
          { sort: [{ seq: 'up' }] },
          { size: 'many' },
          { track_total_hits: -7 },
          { sorts: [] },
        ),
        60,
      ),
    )
    .map((parts) => Object.assign({}, ...parts) as JsonObject);

/** Parameters of the query string that do the same as keys of the body, and that change the answer's form. */
export const parameters = (
  documents: FuzzDocuments,
): fc.Arbitrary<Readonly<Record<string, string>>> => {
  const column = fc.constantFrom(...documents.columns.map(({ name }) => name));
  const some = fc.record(
    {
      size: fc.constantFrom('0', '2', '20'),
      from: fc.constantFrom('0', '3'),
      track_total_hits: fc.constantFrom('true', 'false', '7'),
      _source: fc.oneof(fc.constantFrom('true', 'false'), column),
      sort: fc
        .tuple(fc.constantFrom('seq', '@timestamp'), fc.constantFrom('', ':asc', ':desc'))
        .map((pair) => pair.join('')),
      rest_total_hits_as_int: fc.constant('true'),
      ignore_unavailable: fc.constant('true'),
      preference: fc.constant('1700000000'),
    },
    { requiredKeys: [] },
  ) as fc.Arbitrary<Record<string, string>>;
  return fc.oneof({ weight: 6, arbitrary: fc.constant({}) }, { weight: 1, arbitrary: some });
};
