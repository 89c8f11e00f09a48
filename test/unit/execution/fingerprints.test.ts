import { buildTable } from '../../../plugins/kibana-clickhouse/clickhouse/catalog/build-table';
import { isFingerprint } from '../../../plugins/kibana-clickhouse/clickhouse/sql/compile';
import type { JsonObject } from '../../../plugins/kibana-clickhouse/common/json/json';
import { parseSearchRequest } from '../../../plugins/kibana-clickhouse/search/request/parse-search-request';
import { planSearch } from '../../../plugins/kibana-clickhouse/search/run-search';

const table = buildTable({
  database: 'default',
  name: 'access-log',
  engine: 'MergeTree',
  sortingKey: '`@timestamp`',
  columns: [
    ['@timestamp', 'DateTime64(3)'],
    ['host', 'LowCardinality(String)'],
    ['status', 'UInt16'],
    ['bytes', 'Nullable(UInt64)'],
    ['seconds', 'Float64'],
    ['client', 'IPv4'],
    ['cached', 'Bool'],
    ['tags', 'Array(LowCardinality(String))'],
    ['message', 'String'],
    ["it's", 'Int64'],
  ].map(([name = '', type = '']) => ({ name, type, defaultKind: '' })),
});
const now = Date.parse('2026-01-02T00:00:00Z');

const identityOf = (query: JsonObject, more: JsonObject = {}) =>
  planSearch(parseSearchRequest({ body: { query, ...more }, parameters: new Map() }), {
    table,
    now,
  }).identity;

const lastHour: JsonObject = { range: { '@timestamp': { gte: now - 3_600_000, lte: now } } };
const host: JsonObject = { term: { host: 'web-1' } };
const status: JsonObject = { term: { status: 503 } };

/**
 * Entries of the query blacklist are copies of these texts: whoever changes the spelling of one raises
 * the version, here and in `fingerprint`, because entries of the version before match no more.
 */
const pinned: readonly (readonly [JsonObject, string])[] = [
  [{ match_all: {} }, ''],
  [lastHour, ''],
  [{ match_none: {} }, ' WHERE false'],
  [host, " WHERE (`host` = 'web-1')"],
  [{ term: { host: "a'b\\c\n" } }, " WHERE (`host` = 'a\\'b\\\\c\\n')"],
  [status, ' WHERE (`status` = 503)'],
  [{ term: { status: 70_000 } }, ' WHERE false'],
  [{ term: { seconds: 0.5 } }, " WHERE (`seconds` = '0.5')"],
  [{ term: { cached: true } }, ' WHERE (`cached` = true)'],
  [{ term: { "it's": -1 } }, " WHERE (`it's` = -1)"],
  [{ term: { tags: 'x' } }, " WHERE has(`tags`, 'x')"],
  [{ terms: { status: [500, 503] } }, ' WHERE (`status` IN tuple(500, 503))'],
  [{ exists: { field: 'bytes' } }, ' WHERE isNotNull(`bytes`)'],
  [{ range: { bytes: { gt: 1, lte: 9 } } }, ' WHERE ((`bytes` <= 9) AND (`bytes` >= 2))'],
  [{ range: { seconds: { gte: 0.5 } } }, " WHERE (`seconds` >= '0.5')"],
  [{ term: { client: '10.0.0.1' } }, " WHERE (`client` = '10.0.0.1')"],
  [
    { bool: { filter: [host, lastHour, status] } },
    " WHERE ((`host` = 'web-1') AND (`status` = 503))",
  ],
  [{ bool: { should: [host, status] } }, " WHERE ((`host` = 'web-1') OR (`status` = 503))"],
  [
    { bool: { must_not: [host], filter: [lastHour] } },
    " WHERE (NOT ifNull((`host` = 'web-1'), false))",
  ],
  [
    { bool: { filter: [status, { bool: { must_not: [{ exists: { field: 'tags' } }] } }] } },
    ' WHERE ((NOT ifNull(notEmpty(`tags`), false)) AND (`status` = 503))',
  ],
];

it.each(pinned)('spells %j as it always did', (query, condition) => {
  const { fingerprint } = identityOf(query);
  expect(fingerprint).toBe(`v1 \`default\`.\`access-log\`${condition}`);
});

it('pins twenty, all of which an entry may hold', () => {
  expect(pinned).toHaveLength(20);
  for (const [query] of pinned) expect(isFingerprint(identityOf(query).fingerprint)).toBe(true);
});

it('is one for all ways to write a condition, and for all that is asked about it', () => {
  const { fingerprint } = identityOf({ bool: { filter: [host, status] } });
  const others: readonly (readonly [JsonObject, JsonObject?])[] = [
    [{ bool: { filter: [status, host] } }],
    [{ bool: { filter: [status, host, status, { match_all: {} }, lastHour] } }],
    [{ bool: { must: [{ bool: { must: [host] } }, { bool: { filter: [status] } }] } }],
    [{ bool: { filter: [host, status] } }, { size: 0, aggs: { h: { terms: { field: 'host' } } } }],
    [{ bool: { filter: [host, status] } }, { sort: [{ bytes: 'asc' }], from: 5, _source: ['a'] }],
  ];
  for (const [query, more] of others) expect(identityOf(query, more).fingerprint).toBe(fingerprint);
  const anyOf = (...of: readonly number[]) => identityOf({ terms: { status: of } }).fingerprint;
  expect(anyOf(503, 500, 503)).toBe(anyOf(500, 503));
  expect(identityOf({ bool: { should: [host, status] } }).fingerprint).not.toBe(fingerprint);
});

it('knows the length of the time range, open beginnings as no length, open ends as now', () => {
  const rangeMs = (range: JsonObject): number | undefined =>
    identityOf({ bool: { filter: [host, { range: { '@timestamp': range } }] } }).rangeMs;
  expect(rangeMs({ gte: 'now-15m', lte: 'now' })).toBe(900_000);
  expect(rangeMs({ gte: now - 60_000 })).toBe(60_000);
  expect(rangeMs({ lte: now })).toBeUndefined();
  expect(rangeMs({ gte: now, lte: now - 1 })).toBe(0);
  expect(identityOf(host).rangeMs).toBeUndefined();
  const twice = { bool: { filter: [lastHour, { range: { '@timestamp': { gte: now - 1_000 } } }] } };
  expect(identityOf(twice).rangeMs).toBe(1_000);
});

it.each([
  ['`default`.`logs`', false],
  ['v0 `default`.`logs`', false],
  ['v1 default.logs', false],
  ['v1 `default`.`logs` ORDER BY x', false],
  ['v1 `default`.`logs` WHERE ', false],
  ['SELECT 1', false],
  ['v1 `default`.`logs`', true],
  ['v1 `a\\`b`.`c.d` WHERE (`x` = 1)', true],
])('takes %j for a fingerprint: %j', (text, is) => {
  expect(isFingerprint(text)).toBe(is);
});
