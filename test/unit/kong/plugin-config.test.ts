import {
  pluginConfigFields,
  type KongField,
  type KongFieldEntry,
} from '../../../schema/plugin-config';

interface Named {
  readonly path: string;
  readonly field: KongField;
}

const named = (entries: readonly KongFieldEntry[], parent = ''): readonly Named[] =>
  entries.flatMap((entry) =>
    Object.entries(entry).flatMap(([name, field]) => [
      { path: `${parent}${name}`, field },
      ...named(field.fields ?? [], `${parent}${name}.`),
    ]),
  );

const all = named(pluginConfigFields);

test('the fields are those that the product honours', () => {
  expect(all.map(({ path }) => path)).toEqual([
    'role',
    'failure_mode',
    'metadata_config',
    'metadata_config.hosts',
    'metadata_config.headers',
    'authorization',
    'log_level',
    'settings',
    'settings.proxy',
    'settings.proxy.whiteIndexList',
    'settings.proxy.blackIndexList',
    'settings.proxy.ck',
    'settings.proxy.ck.url',
    'settings.proxy.ck.user',
    'settings.proxy.ck.pass',
    'settings.proxy.ck.defaultCkDatabase',
  ]);
});

test.each(all)('$path has a description that Kong takes', ({ field }) => {
  expect(field.description?.length).toBeGreaterThanOrEqual(10);
  expect(field.description?.length).toBeLessThanOrEqual(500);
});

test.each(all.filter(({ field }) => field.type === 'record'))(
  '$path is expanded by Kong when kong.yml leaves it out',
  ({ field }) => {
    expect(field.required).toBe(true);
    expect(field.default).toBeUndefined();
  },
);

test.each([
  'metadata_config.hosts',
  'metadata_config.headers',
  'settings.proxy.ck.url',
  'settings.proxy.ck.user',
  'settings.proxy.ck.pass',
])('%s may come from a vault', (path) => {
  const field = all.find((one) => one.path === path)?.field;
  expect(field?.elements ?? field?.values ?? field).toMatchObject({
    referenceable: true,
    encrypted: true,
  });
});

test('every entry of a field list has one name, and all of it is plain data', () => {
  for (const entry of pluginConfigFields) expect(Object.keys(entry)).toHaveLength(1);
  expect(JSON.parse(JSON.stringify(pluginConfigFields))).toEqual(pluginConfigFields);
});
