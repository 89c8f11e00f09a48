import { type TrafficSpan, warpSql } from './traffic';

/** The table's columns, as CREATE TABLE writes them. */
export const accessLogColumns: readonly string[] = [
  `"@timestamp" DateTime64(3) CODEC(Delta, ZSTD)`,
  'host LowCardinality(String)',
  'method LowCardinality(String)',
  'path String',
  'status UInt16',
  'bytes UInt64',
  'latency_ms Float64',
  'client_ip IPv4',
  'user_agent LowCardinality(String)',
  'referer Nullable(String)',
  'message String',
  'tags Array(String)',
  'labels Map(String, String)',
  'price Decimal(10, 2)',
  'cached Bool',
];

/** Value and its share of the requests; the shares need not sum to 1. */
type Weighted = readonly (readonly [value: string, share: number])[];

const methods: Weighted = [
  ["'GET'", 84],
  ["'POST'", 10],
  ["'PUT'", 3],
  ["'HEAD'", 2],
  ["'DELETE'", 1],
];

const statuses: Weighted = [
  ['200', 84],
  ['304', 6],
  ['301', 1.5],
  ['404', 4],
  ['401', 1.2],
  ['403', 0.8],
  ['429', 0.5],
  ['500', 1],
  ['502', 0.4],
  ['503', 0.6],
];

const hosts: Weighted = [
  ["'web-01'", 30],
  ["'web-02'", 24],
  ["'web-03'", 18],
  ["'api-01'", 16],
  ["'api-02'", 9],
  ["'static-01'", 3],
];

const agents: Weighted = [
  [
    "'Mozilla/5.0 (Windows NT 10.0; Win64; x64) AppleWebKit/537.36 (KHTML, like Gecko) Chrome/142.0.0.0 Safari/537.36'",
    40,
  ],
  [
    "'Mozilla/5.0 (iPhone; CPU iPhone OS 18_6 like Mac OS X) AppleWebKit/605.1.15 (KHTML, like Gecko) Version/18.6 Mobile/15E148 Safari/604.1'",
    25,
  ],
  [
    "'Mozilla/5.0 (Linux; Android 16; Pixel 10) AppleWebKit/537.36 (KHTML, like Gecko) Chrome/142.0.0.0 Mobile Safari/537.36'",
    18,
  ],
  ["'Mozilla/5.0 (X11; Linux x86_64; rv:145.0) Gecko/20100101 Firefox/145.0'", 10],
  ["'curl/8.14.1'", 4],
  ["'Mozilla/5.0 (compatible; ExampleBot/2.1; +https://bot.example.org/)'", 3],
];

const referers: Weighted = [
  ['NULL', 38],
  ["'https://www.example.com/'", 30],
  ["'https://search.example.org/?q=caf%C3%A9'", 20],
  ["'https://news.example.net/2026/artikel-über-märkte'", 7],
  ["'https://日本.example/'", 5],
];

/** The most visited paths, first the most visited; what ranks lower is a product's page. */
const topPaths = [
  '/',
  '/login',
  '/search',
  '/cart',
  '/api/v1/orders',
  '/checkout',
  '/static/app.js',
  '/static/app.css',
  '/api/v1/users/me',
  '/favicon.ico',
  '/café/menü',
  '/日本/地図',
  '/health',
  '/blog/2026/11/hello-world',
  '/robots.txt',
];
const pathRanks = 500;
const clientRanks = 20_000;

/** `multiIf` over the running shares of a random number between 0 and 1. */
function pick(random: string, weighted: Weighted): string {
  const total = weighted.reduce((sum, [, share]) => sum + share, 0);
  const last = weighted.at(-1)?.[0] ?? 'NULL';
  let sum = 0;
  const branches = weighted.slice(0, -1).map(([value, share]) => {
    sum += share;
    return `${random} < ${String(sum / total)}, ${value}`;
  });
  return `multiIf(${[...branches, last].join(', ')})`;
}

/** A rank from 1 to `ranks` whose frequency falls as 1/rank (Zipf). */
const zipf = (random: string, ranks: number): string =>
  `toUInt32(floor(exp(${random} * log(${String(ranks + 1)}))))`;

const optional = (random: string, share: number, values: string): string =>
  `if(${random} < ${String(share)}, [${values}], [])`;

const tags = `arrayConcat(
    ${optional('r_tag_1', 0.45, "'web'")},
    ${optional('r_tag_2', 0.25, "'mobile'")},
    ${optional('r_tag_3', 0.08, "'größe-xl'")},
    if(latency_ms > 1500, ['slow'], []),
    if(status >= 500, ['error', 'retry'], []))`;

const labels = `mapFromArrays(
    arrayConcat(['env'], if(r_label_1 < 0.7, ['region'], []), if(r_label_2 < 0.3, ['team'], [])),
    arrayConcat(
      [if(r_label_3 < 0.9, 'production', 'staging')],
      if(r_label_1 < 0.7, [arrayElement(['eu-west', 'us-east', 'ap-south'], 1 + toUInt8(floor(r_label_1 / 0.7 * 3)))], []),
      if(r_label_2 < 0.3, [arrayElement(['shop', 'search', 'zürich'], 1 + toUInt8(floor(r_label_2 / 0.3 * 3)))], [])))`;

/** Random numbers between 0 and 1 that a row needs, each from its own hash of row and seed. */
const randomNames = [
  ...['time', 'host', 'method', 'path', 'status', 'bytes', 'bytes_2', 'latency', 'client'],
  ...['agent', 'referer', 'tag_1', 'tag_2', 'tag_3', 'label_1', 'label_2', 'label_3'],
  ...['labels', 'price', 'cached'],
];

export interface RowOptions {
  readonly rows: number;
  readonly seed: number;
  readonly span: TrafficSpan;
}

const quoted = (text: string): string => `'${text.replaceAll(/['\\]/g, '\\$&')}'`;

/** For a quarter of an hour, two days before the end, the shop fails. */
const incidentBeforeEndMs = 2 * 86_400_000;
const incidentMs = 15 * 60_000;

const timeExpressions = ({ rows, span }: RowOptions): string => {
  const step = (span.evenTo - span.evenFrom) / rows;
  const even = `(${String(span.evenFrom)} + (number + r_time) * ${String(step)})`;
  const incident = span.to - incidentBeforeEndMs;
  return `least(greatest(toInt64(${warpSql(even)}), ${String(Math.ceil(span.from))}), ${String(Math.floor(span.to))}) AS time_ms,
  time_ms BETWEEN ${String(incident)} AND ${String(incident + incidentMs)} AS incident`;
};

const randoms = (seed: number): string =>
  randomNames
    .map((name) => `cityHash64(number, ${String(seed)}, ${quoted(name)}) / pow(2, 64) AS r_${name}`)
    .join(',\n  ');

/** The SELECT list (with its WITH) that makes one row of every `number`. */
export const rowExpressions = (options: RowOptions): string => `WITH
  ${randoms(options.seed)},
  ${timeExpressions(options)},
  ${zipf('r_path', pathRanks)} AS rank
SELECT
  fromUnixTimestamp64Milli(time_ms) AS "@timestamp",
  ${pick('r_host', hosts)} AS host,
  ${pick('r_method', methods)} AS method,
  if(rank <= ${String(topPaths.length)}, arrayElement([${topPaths.map(quoted).join(', ')}], rank), concat('/products/', toString(rank))) AS path,
  toUInt16(if(incident AND r_status < 0.6, 503, ${pick('r_status', statuses)})) AS status,
  if(status = 304 OR method = 'HEAD', 0, toUInt64(200 + exp(6 + 5 * (r_bytes + r_bytes_2) / 1.6))) AS bytes,
  round(2 + exp(2.5 + 3 * r_latency + if(status >= 500, 2, 0) + if(path = '/search', 1, 0)), 3) AS latency_ms,
  toIPv4(toUInt32(169082880 + ${zipf('r_client', clientRanks)} * 7)) AS client_ip,
  ${pick('r_agent', agents)} AS user_agent,
  ${pick('r_referer', referers)} AS referer,
  concat(IPv4NumToString(client_ip), ' "', method, ' ', path, ' HTTP/1.1" ', toString(status), ' ', toString(bytes),
    multiIf(status >= 500, ' upstream failed: connection refused', status = 404, ' not found', status = 429, ' too many requests', rank = 11, ' naïve cache – straße', '')) AS message,
  ${tags} AS tags,
  if(r_labels < 0.1, map(), ${labels}) AS labels,
  toDecimal64(if(path IN ('/checkout', '/cart', '/api/v1/orders'), 5 + 400 * r_price * r_price, 0), 2) AS price,
  r_cached < if(startsWith(path, '/static/') OR status = 304, 0.9, 0.2) AS cached`;
