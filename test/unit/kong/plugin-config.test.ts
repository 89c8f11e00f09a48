import type { KongField, KongFieldEntry } from '../../../schema/kong-field';
import { pluginConfigFields } from '../../../schema/plugin-config';

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
    'metadata_config.ca',
    'clickhouse',
    'clickhouse.ca',
    'clickhouse.certificate',
    'clickhouse.key',
    'clickhouse.users',
    'clickhouse.passwords',
    'clickhouse.roles',
    'authorization',
    'log_level',
    'settings_suffix',
    'secret_key',
    'state_file',
    'settings',
    'settings.query',
    'settings.query.sampleIndexPatterns',
    'settings.query.sampleCountMaxThreshold',
    'settings.query.useCache',
    'settings.query.maxResultRow',
    'settings.query.maxBuckets',
    'settings.query.maxExecutionMs',
    'settings.query.maxMemoryBytes',
    'settings.query.maxReadRows',
    'settings.proxy',
    'settings.proxy.roundAbleMinPeriod',
    'settings.proxy.round',
    'settings.proxy.maxTimeRange',
    'settings.proxy.enableMonitoring',
    'settings.proxy.monitorRetentionDays',
    'settings.proxy.enableBlackList',
    'settings.proxy.defaultTimeFieldName',
    'settings.proxy.textSearch',
    'settings.proxy.ckibanaSyntax',
    'settings.proxy.whiteIndexList',
    'settings.proxy.blackIndexList',
    'settings.proxy.es',
    'settings.proxy.es.host',
    'settings.proxy.es.headers',
    'settings.proxy.ck',
    'settings.proxy.ck.url',
    'settings.proxy.ck.user',
    'settings.proxy.ck.pass',
    'settings.proxy.ck.defaultCkDatabase',
    'settings.threadPool',
    'settings.threadPool.msearchProperty',
    'settings.threadPool.msearchProperty.coreSize',
    'settings.threadPool.msearchProperty.queueSize',
    'settings.threadPool.commonProperty',
    'settings.threadPool.commonProperty.coreSize',
    'settings.threadPool.commonProperty.queueSize',
    'settings.defaultShard',
    'settings.tables',
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
  'clickhouse.key',
  'clickhouse.passwords',
  'secret_key',
  'settings.proxy.es.host',
  'settings.proxy.es.headers',
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

test('no setting has a default of Kong, so that what kong.yml says can be told from what it does not', () => {
  const settings = all.filter(({ path }) => path.startsWith('settings.'));
  expect(settings.filter(({ field }) => field.default !== undefined)).toEqual([]);
});

test('the bounds of a setting are those of its schema, in the language of Kong', () => {
  const fieldOf = (path: string): KongField | undefined =>
    all.find((one) => one.path === path)?.field;
  expect(fieldOf('settings.query.maxResultRow')).toMatchObject({
    type: 'integer',
    between: [1, 10_000_000],
  });
  expect(fieldOf('settings.proxy.textSearch')?.one_of).toEqual(['contains', 'tokens']);
  expect(fieldOf('settings.proxy.whiteIndexList')).toMatchObject({
    type: 'array',
    len_max: 10_000,
    elements: { type: 'string', match: '^[^%s,*]+$', len_max: 255 },
  });
  expect(fieldOf('settings.proxy.es.headers')?.keys?.match).toBe("^[!#$%%&'*+.^_`|~0-9A-Za-z-]+$");
  expect(fieldOf('settings.proxy.ck.pass')?.len_min).toBe(0);
  expect(fieldOf('settings.tables')).toMatchObject({
    type: 'map',
    values: { type: 'record' },
  });
});
