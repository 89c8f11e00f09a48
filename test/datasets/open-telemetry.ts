import type { JsonObject } from '../../plugins/kibana-clickhouse/common/json/json';
import { type Dataset, type DatasetColumn, textMapping } from './dataset';

const text = (name: string, codec = 'String CODEC(ZSTD(1))'): DatasetColumn => ({
  name,
  clickHouse: codec,
  elasticsearch: textMapping,
});
const keyword = (name: string): DatasetColumn => ({
  name,
  clickHouse: 'LowCardinality(String) CODEC(ZSTD(1))',
  elasticsearch: { type: 'keyword' },
});
const short = (name: string): DatasetColumn => ({
  name,
  clickHouse: 'UInt8',
  elasticsearch: { type: 'short' },
});

/** Attributes with dots in their names, which are objects to Elasticsearch. */
const attributes = (name: string, paths: readonly string[]): DatasetColumn => ({
  name,
  clickHouse: 'Map(LowCardinality(String), String) CODEC(ZSTD(1))',
  elasticsearch: { properties: objects(paths.map((path) => path.split('.'))) },
});

function objects(paths: readonly (readonly string[])[]): JsonObject {
  const heads = [...new Set(paths.map(([head = '']) => head))];
  return Object.fromEntries(
    heads.map((head) => {
      const below = paths.filter(([first]) => first === head).map((path) => path.slice(1));
      const isText = below.some((path) => path.length === 0);
      return [head, isText ? textMapping : { properties: objects(below) }];
    }),
  );
}

const services = ['cart', 'checkout', 'frontend'] as const;
const severities = [
  ['DEBUG', 5],
  ['INFO', 9],
  ['WARN', 13],
  ['ERROR', 17],
] as const;
const bodies = [
  'Request finished',
  'GET /api/cart took 12ms',
  'Connection to payment-service:8443 refused',
  'User "jane doe" logged in from 10.0.0.1',
  'panic: runtime error: index out of range',
];
const start = Date.UTC(2024, 4, 15, 10, 0, 0);
const rowsOfService = 30;

/** Nine digits behind the second, the last six different from row to row. */
const nanosAt = (ms: number, i: number): string =>
  new Date(ms).toISOString().replace('Z', `${String((i * 7919) % 1_000_000).padStart(6, '0')}Z`);

function logRecord(service: number, i: number): JsonObject {
  const ms = start + i * 61_007 + service * 1000;
  const [severity, number] = severities[(i + service) % severities.length] ?? severities[0];
  const isRequest = i % 3 !== 0;
  return {
    Timestamp: nanosAt(ms, i),
    TimestampTime: `${new Date(ms).toISOString().slice(0, 19)}Z`,
    TraceId: i % 5 === 0 ? '' : `${String(service)}${String(i).padStart(31, '0')}`,
    SpanId: i % 5 === 0 ? '' : String(i).padStart(16, '0'),
    TraceFlags: service * rowsOfService + i + 1,
    SeverityText: severity,
    SeverityNumber: number,
    ServiceName: services[service] ?? '',
    Body: bodies[(i + service) % bodies.length] ?? '',
    ResourceSchemaUrl: 'https://opentelemetry.io/schemas/1.26.0',
    ResourceAttributes: {
      'k8s.pod.name': `${services[service] ?? ''}-${String(i % 2)}`,
      'service.name': services[service] ?? '',
      ...(service > 0 && { 'host.name': `node-${String(service)}` }),
    },
    ScopeSchemaUrl: '',
    ScopeName: 'app.logger',
    ScopeVersion: '1.2.0',
    ScopeAttributes: {},
    LogAttributes: {
      ...(isRequest && {
        'http.request.method': i % 2 === 0 ? 'GET' : 'POST',
        'http.response.status_code': String(200 + (i % 4) * 100),
      }),
      ...(i % 7 === 0 && { 'exception.type': 'TimeoutError' }),
    },
  };
}

/**
 * The table that the OpenTelemetry Collector's ClickHouse exporter creates, with its keys, codecs and indexes. `TraceFlags` has a
 * different number in every row here, because the schema has no other integer of its own.
 */
export const otelLogs: Dataset = {
  name: 'otel_logs',
  uniqueField: 'TraceFlags',
  orderBy: ['ServiceName', 'TimestampTime', 'Timestamp'],
  columns: [
    {
      name: 'Timestamp',
      clickHouse: 'DateTime64(9) CODEC(Delta(8), ZSTD(1))',
      elasticsearch: { type: 'date_nanos' },
    },
    {
      name: 'TimestampTime',
      clickHouse: 'DateTime DEFAULT toDateTime(Timestamp)',
      elasticsearch: { type: 'date' },
    },
    text('TraceId'),
    text('SpanId'),
    short('TraceFlags'),
    keyword('SeverityText'),
    short('SeverityNumber'),
    keyword('ServiceName'),
    text('Body'),
    keyword('ResourceSchemaUrl'),
    attributes('ResourceAttributes', ['k8s.pod.name', 'service.name', 'host.name']),
    keyword('ScopeSchemaUrl'),
    text('ScopeName'),
    keyword('ScopeVersion'),
    attributes('ScopeAttributes', []),
    attributes('LogAttributes', [
      'http.request.method',
      'http.response.status_code',
      'exception.type',
    ]),
  ],
  indexes: [
    'idx_trace_id TraceId TYPE bloom_filter(0.001) GRANULARITY 1',
    'idx_res_attr_key mapKeys(ResourceAttributes) TYPE bloom_filter(0.01) GRANULARITY 1',
    'idx_res_attr_value mapValues(ResourceAttributes) TYPE bloom_filter(0.01) GRANULARITY 1',
    'idx_scope_attr_key mapKeys(ScopeAttributes) TYPE bloom_filter(0.01) GRANULARITY 1',
    'idx_scope_attr_value mapValues(ScopeAttributes) TYPE bloom_filter(0.01) GRANULARITY 1',
    'idx_log_attr_key mapKeys(LogAttributes) TYPE bloom_filter(0.01) GRANULARITY 1',
    'idx_log_attr_value mapValues(LogAttributes) TYPE bloom_filter(0.01) GRANULARITY 1',
    'idx_body Body TYPE tokenbf_v1(32768, 3, 0) GRANULARITY 8',
  ],
  engine: `MergeTree
    PARTITION BY toDate(TimestampTime)
    PRIMARY KEY (ServiceName, TimestampTime)
    ORDER BY (ServiceName, TimestampTime, Timestamp)
    SETTINGS index_granularity = 8192, ttl_only_drop_parts = 1`,
  rows: () =>
    services.flatMap((_, service) =>
      Array.from({ length: rowsOfService }, (_unused, i) => logRecord(service, i)),
    ),
};
