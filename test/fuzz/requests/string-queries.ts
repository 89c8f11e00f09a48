import * as fc from 'fast-check';
import type { JsonObject, JsonValue } from '../../../plugins/kibana-clickhouse/common/json/json';
import type { FuzzDocuments, FuzzField } from '../documents/field';
import { fieldsOfKind, options, seldom, valueOf } from './context';

const boosted = { boost: fc.constantFrom(1, 2, 0.5) };

/** A text that looks like one of the documents' values: whole, cut, or with a letter changed. */
const texts = (field: FuzzField): fc.Arbitrary<string> =>
  fc
    .tuple(valueOf(field).map(String), fc.nat(12), fc.constantFrom('whole', 'cut', 'changed'))
    .map(([text, at, way]) => {
      if (way === 'whole') return text;
      const place = at % (text.length + 1);
      return way === 'cut' ? text.slice(0, place) : `${text.slice(0, place)}x${text.slice(place)}`;
    });

const patterns = (field: FuzzField): fc.Arbitrary<string> =>
  fc
    .tuple(texts(field), fc.constantFrom('*', '?', '**', ''), fc.constantFrom('*', '?', ''))
    .map(([text, before, after]) => `${before}${text.replaceAll(/[*?\\]/g, '?')}${after}`);

const operators = /[.?+*|{}[\]()"\\#@&<>~^$-]/g;

const expressions = (field: FuzzField): fc.Arbitrary<string> =>
  fc
    .tuple(texts(field), fc.constantFrom('.*', '', '[a-z]+', '(a|b)?'), fc.constantFrom('.*', '.?'))
    .map(([text, before, after]) => `${before}${text.replaceAll(operators, '.')}${after}`);

type Maker = (field: FuzzField) => fc.Arbitrary<JsonObject>;

/** A clause with its value alone, or with options. */
const clause =
  (name: string, key: string, value: (field: FuzzField) => fc.Arbitrary<JsonValue>): Maker =>
  (field) => {
    const long = fc
      .tuple(
        value(field),
        ['prefix', 'wildcard', 'regexp'].includes(name)
          ? options({ case_insensitive: fc.boolean() })
          : fc.constant<JsonObject>({}),
        options(boosted),
      )
      .map(([given, more, extra]): JsonValue => ({ [key]: given, ...more, ...extra }));
    return fc.oneof(value(field), long).map((body) => ({ [name]: { [field.name]: body } }));
  };

const onKeywords: readonly Maker[] = [
  clause('prefix', 'value', texts),
  clause('wildcard', 'value', patterns),
  clause('regexp', 'value', expressions),
  clause('match', 'query', texts),
  clause('match_phrase', 'query', texts),
  clause('match_bool_prefix', 'query', texts),
];

const onValues: readonly Maker[] = [
  clause('match', 'query', valueOf),
  clause('match_phrase', 'query', valueOf),
];

/** Clauses that look through the terms of keyword fields, and full-text clauses on fields that are compared as a whole. */
export function stringQueries(documents: FuzzDocuments): fc.Arbitrary<JsonObject> {
  const keywords = fc.constantFrom(...fieldsOfKind(documents, 'keyword'));
  const values = fc.constantFrom(...fieldsOfKind(documents, 'integer', 'boolean', 'ip'));
  return fc.oneof(
    ...onKeywords.map((maker) => ({ weight: 3, arbitrary: keywords.chain(maker) })),
    ...onValues.map((maker) => ({ weight: 1, arbitrary: values.chain(maker) })),
  );
}

/** Any of several clauses, or one whose score another changes. */
export const scoredQueries = (query: fc.Arbitrary<JsonObject>): fc.Arbitrary<JsonObject> =>
  fc.oneof(
    fc
      .tuple(fc.array(query, { minLength: 1, maxLength: 3 }), seldom(6, boosted))
      .map(([queries, extra]) => ({ dis_max: { queries, ...extra } })),
    fc
      .tuple(query, query)
      .map(([positive, negative]) => ({ boosting: { positive, negative, negative_boost: 0.5 } })),
    query.map((inner) => ({ function_score: { query: inner, weight: 2 } })),
    query.map((inner) => ({ script_score: { query: inner, script: { source: '1' } } })),
  );
