import * as fc from 'fast-check';
import type { JsonObject } from '../../../plugins/kibana-clickhouse/common/json/json';
import type { FuzzDocuments, FuzzField } from '../documents/field';
import { fieldsOfKind } from './context';

const comparisons = fc.constantFrom('>', '>=', '<', '<=', '==', '!=');

/** What a script may say of a value that is there, by the kind of its field. */
const tests: Readonly<Record<string, (value: string) => fc.Arbitrary<string>>> = {
  integer: (value) =>
    fc
      .tuple(comparisons, fc.constantFrom('0', '1', '200', '7L'))
      .map((parts) => [value, ...parts].join(' ')),
  decimal: (value) =>
    fc
      .tuple(
        fc.constantFrom('* 2', '+ 0.5', '- 1'),
        comparisons,
        fc.constantFrom('0', '1.5', '100'),
      )
      .map((parts) => [value, ...parts].join(' ')),
  boolean: (value) => fc.constantFrom(value, `!${value}`, `${value} == true`),
  keyword: (value) =>
    fc.constantFrom(
      `${value} == 'web-1'`,
      `${value}.startsWith('web')`,
      `${value}.contains('b')`,
      `${value}.toUpperCase() == 'DB'`,
      `${value}.isEmpty()`,
    ),
  date: (value) =>
    fc.constantFrom(
      `${value}.getHour() < 12`,
      `${value}.monthValue == 3`,
      `${value}.dayOfMonth > 15`,
      `${value}.millis > 0`,
    ),
};

const script = ({ name, kind }: FuzzField): fc.Arbitrary<string> => {
  const doc = `doc['${name}']`;
  const test = tests[kind]?.(`${doc}.value`) ?? fc.constant(`${doc}.size() == 1`);
  return fc.oneof(
    { weight: 4, arbitrary: test.map((text) => `${doc}.size() != 0 && ${text}`) },
    { weight: 1, arbitrary: test.map((text) => `${doc}.empty ? false : ${text}`) },
    {
      weight: 1,
      arbitrary: test.map((text) => `if (${doc}.empty) { return true } return ${text};`),
    },
    { weight: 1, arbitrary: fc.constant(`${doc}.size() < 2`) },
  );
};

/** Filters by scripts over values that they ask for first. */
export const scriptQueries = (documents: FuzzDocuments): fc.Arbitrary<JsonObject> =>
  fc
    .constantFrom(...fieldsOfKind(documents, 'integer', 'decimal', 'boolean', 'keyword', 'date'))
    .chain(script)
    .map((source) => ({ script: { script: { source, lang: 'painless' } } }));
