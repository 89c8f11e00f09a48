import * as fc from 'fast-check';
import type { JsonObject } from '../../../plugins/kibana-clickhouse/common/json/json';
import type { FuzzDocuments, FuzzField } from '../documents/field';
import { fieldsOfKind, options, seldom, valueOf } from './context';

/** A text within quotes. */
const quoted = (text: string): string => `"${text.replaceAll(/["\\]/g, String.raw`\$&`)}"`;

/** A text as a word of its own, blanks too. */
const escaped = (text: string): string =>
  text.replaceAll(/[\\+\-!():^[\]"{}~*?|&/\s]/g, String.raw`\$&`);

const nameOf = ({ name }: FuzzField): string => escaped(name);

const textOf = (field: FuzzField): fc.Arbitrary<string> =>
  valueOf(field).map((value) => String(value));

const isKeyword = ({ kind }: FuzzField): boolean => kind === 'keyword';

/** `>` and its like are signs in front of a word only. */
const plainWord = (text: string): string =>
  /^(?:[<>]|AND$|OR$|NOT$|$)/.test(text) ? quoted(text) : escaped(text);

const rangeOf = (field: FuzzField): fc.Arbitrary<string> =>
  fc
    .tuple(
      fc.constantFrom('[', '{'),
      fc.oneof(textOf(field).map(quoted), fc.constant('*')),
      fc.oneof(textOf(field).map(quoted), fc.constant('*')),
      fc.constantFrom(']', '}'),
    )
    .map(([open, from, to, close]) => `${open}${from} TO ${to}${close}`);

const comparedWith = (field: FuzzField): fc.Arbitrary<string> =>
  fc
    .tuple(fc.constantFrom('>', '>=', '<', '<='), textOf(field))
    .map(([sign, text]) => (text === '' ? '*' : `${sign}${escaped(text)}`));

const patterns = fc.constantFrom(
  'web*',
  'w?b-1',
  '*b*',
  'Web\\-*',
  '**',
  '/web-[12]/',
  '/.*b/',
  '?',
);

/** What a clause says of a field: a value, a range, whether it is there, for keywords a pattern. */
function test(field: FuzzField): fc.Arbitrary<string> {
  const always = [
    { weight: 4, arbitrary: textOf(field).map(quoted) },
    { weight: 4, arbitrary: textOf(field).map(plainWord) },
    { weight: 3, arbitrary: rangeOf(field) },
    { weight: 2, arbitrary: comparedWith(field) },
    { weight: 1, arbitrary: fc.constant('*') },
  ];
  return fc
    .oneof(...always, ...(isKeyword(field) ? [{ weight: 4, arbitrary: patterns }] : []))
    .map((text) => `${nameOf(field)}:${text}`);
}

const joint = fc.constantFrom(' ', ' AND ', ' OR ', ' && ', ' || ', ' AND NOT ');
const modifier = fc.constantFrom('', '', '', '', '+', '-', '!', 'NOT ');

/** A clause behind the one before it. A word that negates it leaves no place for a sign of its own. */
function clauseText([by, sign, text]: readonly [string, string, string], isFirst: boolean): string {
  if (isFirst) return sign + text;
  return by.endsWith('NOT ') ? by + text : by + sign + text;
}

/** Queries of two levels over fields by name. */
function texts(fields: readonly FuzzField[]): fc.Arbitrary<string> {
  const field = fc.constantFrom(...fields);
  const leaf = fc.oneof(
    { weight: 12, arbitrary: field.chain(test) },
    { weight: 1, arbitrary: field.map((one) => `_exists_:${nameOf(one)}`) },
    { weight: 1, arbitrary: fc.constant('unknown:x') },
  );
  const joined = (clause: fc.Arbitrary<string>): fc.Arbitrary<string> =>
    fc
      .array(fc.tuple(joint, modifier, clause), { minLength: 1, maxLength: 4 })
      .map((parts) => parts.map((part, i) => clauseText(part, i === 0)).join(''));
  const group = joined(leaf).map((text) => `(${text})`);
  return joined(fc.oneof({ weight: 4, arbitrary: leaf }, { weight: 1, arbitrary: group }));
}

/** Fields of which both servers compare whole values. */
const wholeValues = (documents: FuzzDocuments): readonly FuzzField[] =>
  fieldsOfKind(documents, 'keyword', 'integer', 'decimal', 'boolean', 'ip', 'date', 'date_nanos');

const common = {
  default_operator: fc.constantFrom('and', 'or', 'AND'),
  minimum_should_match: fc.constantFrom('1', '50%', '2<-1'),
};

/** `query_string` over fields that it names. */
export function queryStrings(documents: FuzzDocuments): fc.Arbitrary<JsonObject> {
  return fc
    .tuple(
      options({ query: texts(wholeValues(documents)), lenient: fc.constant(true) }, [
        'query',
        'lenient',
      ]),
      options({ ...common, analyze_wildcard: fc.boolean() }),
      seldom(15, { boost: fc.constantFrom(1, 2) }),
    )
    .map(([body, extra, boost]) => ({ query_string: { ...body, ...extra, ...boost } }));
}

/** `simple_query_string` over some fields. */
export function simpleQueryStrings(documents: FuzzDocuments): fc.Arbitrary<JsonObject> {
  const fields = wholeValues(documents);
  const word = fc
    .constantFrom(...fields)
    .chain((field) =>
      textOf(field).map((text) => (text.includes('"') || text === '' ? 'web*' : quoted(text))),
    );
  const part = fc.tuple(
    fc.constantFrom(' ', ' + ', ' | ', ' -', ' + -'),
    fc.oneof(
      { weight: 4, arbitrary: word },
      { weight: 1, arbitrary: fc.constantFrom('web*', 'db', '1', 'web~1') },
    ),
  );
  const query = fc
    .array(part, { minLength: 1, maxLength: 4 })
    .map((parts) => parts.map(([by, text]) => by + text).join(''));
  const names = fc.subarray(
    fields.map(({ name }) => name),
    { minLength: 1, maxLength: 4 },
  );
  return fc
    .tuple(
      options({ query, lenient: fc.constant(true), fields: names.map((list) => [...list]) }, [
        'query',
        'lenient',
        'fields',
      ]),
      options(common),
      seldom(15, { boost: fc.constantFrom(1, 2) }),
    )
    .map(([body, extra, boost]) => ({ simple_query_string: { ...body, ...extra, ...boost } }));
}
