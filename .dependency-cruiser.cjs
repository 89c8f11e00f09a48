const src = '^plugins/kibana-clickhouse';
/** Lowest first: a layer may import itself and what stands before it, never what stands after it. */
const layers = ['common', 'clickhouse|metadata', 'search', 'gateway', 'kong'];
const upward = layers.slice(0, -1).map((layer, i) => ({
  name: `no-upward-from-${layer.replace('|', '-')}`,
  severity: 'error',
  from: { path: `${src}/(${layer})/` },
  to: { path: `${src}/(${layers.slice(i + 1).join('|')})/` },
}));

module.exports = {
  forbidden: [
    { name: 'no-circular', severity: 'error', from: {}, to: { circular: true } },
    ...upward,
    {
      name: 'clickhouse-and-metadata-are-apart',
      severity: 'error',
      from: { path: `${src}/clickhouse/` },
      to: { path: `${src}/metadata/` },
    },
    {
      name: 'metadata-and-clickhouse-are-apart',
      severity: 'error',
      from: { path: `${src}/metadata/` },
      to: { path: `${src}/clickhouse/` },
    },
    {
      name: 'kong-only-in-kong',
      severity: 'error',
      from: { path: src, pathNot: `${src}/kong/` },
      to: { path: 'kong-pdk' },
    },
    {
      name: 'clickhouse-client-only-in-clickhouse',
      severity: 'error',
      from: { path: src, pathNot: `${src}/clickhouse/` },
      to: { path: '@clickhouse/client' },
    },
    {
      name: 'http-server-only-in-gateway',
      severity: 'error',
      from: { path: src, pathNot: `${src}/gateway/` },
      to: { path: 'node_modules/fastify/' },
    },
    {
      name: 'the-deciding-process-stays-small',
      comment:
        'The plugin server answers nothing itself: what answers is loaded by the answer process.',
      severity: 'error',
      from: { path: `${src}/kong/` },
      to: { path: `${src}/(clickhouse|search|metadata)/` },
    },
    {
      name: 'pure-core',
      comment:
        'Translation has no I/O: neither Node built-ins nor packages, save calendars and addresses.',
      severity: 'error',
      from: { path: `${src}/(search|clickhouse/(sql|catalog))/`, pathNot: '/load-[a-z-]+\\.ts$' },
      to: {
        dependencyTypes: ['core', 'npm'],
        pathNot: 'node_modules/(luxon|ipaddr\\.js|@types/luxon)/',
      },
    },
    {
      name: 'product-without-development',
      severity: 'error',
      from: { path: '^(plugins|schema)/' },
      to: { path: '^(dev|test)/' },
    },
    {
      name: 'development-without-tests',
      severity: 'error',
      from: { path: '^dev/' },
      to: { path: '^test/' },
    },
    {
      name: 'no-orphans',
      severity: 'error',
      from: {
        orphan: true,
        pathNot: ['\\.d\\.ts$', '(^|/)(index|main|start)\\.ts$', '^(test|dev)/'],
      },
      to: {},
    },
  ],
  options: {
    tsConfig: { fileName: 'tsconfig.json' },
    tsPreCompilationDeps: true,
    doNotFollow: { path: 'node_modules' },
  },
};
