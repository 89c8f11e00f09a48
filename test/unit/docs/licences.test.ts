import { installedPackages, licencesPage, writtenPage } from '../../../dev/docs/licences/write';

/** Licences that ask for nothing but their text to be kept. */
const permissive = [
  '0BSD',
  'Apache-2.0',
  'BSD-2-Clause',
  'BSD-3-Clause',
  'BlueOak-1.0.0',
  'ISC',
  'MIT',
];

test('docs/licences.md lists what is installed: npm run docs:licences', () => {
  expect(writtenPage()).toBe(licencesPage());
});

test('every package has a licence that lets anybody use it', () => {
  expect(installedPackages().filter(({ licence }) => !permissive.includes(licence))).toEqual([]);
});

test('the embedded engine is not installed with the plugin', () => {
  const names = installedPackages().map(({ name }) => name);
  expect(names).toEqual(expect.arrayContaining(['kong-pdk', 'fastify', '@clickhouse/client']));
  expect(names.filter((name) => /chdb|ffi-rs/.test(name))).toEqual([]);
});
