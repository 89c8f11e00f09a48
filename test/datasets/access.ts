import type { JsonObject } from '../../plugins/kibana-clickhouse/common/json/json';
import { type Dataset, double, integer, keyword, long, text } from './dataset';

const hosts = ['api.example.org', 'shop.example.org', 'www.example.org'] as const;
const methods = ['GET', 'POST', 'HEAD'] as const;
const perHost = 40;
const start = Date.UTC(2024, 4, 14, 22, 30);

function request(host: number, i: number): JsonObject {
  return {
    '@timestamp': start + i * 167_321 + host,
    n: host * perHost + i + 1,
    http_host: hosts[host] ?? '',
    request_method: methods[(i + host) % methods.length] ?? '',
    request_uri: `/items/${String(i % 7)}?page=${String(i % 3)}`,
    status: [200, 200, 304, 404, 500][(i * 3 + host) % 5] ?? 200,
    request_time: ((i * 37) % 100) / 64,
    bytes_sent: i * 1000 + host,
    http_user_agent: i % 2 === 0 ? 'Mozilla/5.0 (X11; Linux x86_64)' : 'curl/8.5.0',
  };
}

/**
 * An access log as the tables of the specification are: epoch ms in a UInt64 `@timestamp`, the host first in the key, the hash
 * that samples last, parts by the hour, an index of the time.
 */
export const access: Dataset = {
  name: 'access',
  uniqueField: 'n',
  orderBy: ['http_host', 'request_uri'],
  columns: [
    { name: '@timestamp', clickHouse: 'UInt64', elasticsearch: { type: 'date' } },
    integer('n'),
    keyword('http_host'),
    keyword('request_method'),
    text('request_uri'),
    long('status'),
    double('request_time'),
    long('bytes_sent'),
    text('http_user_agent'),
  ],
  indexes: ['timestamp_index `@timestamp` TYPE minmax GRANULARITY 8192'],
  engine: `MergeTree
    PARTITION BY (toYYYYMMDD(toDateTime(\`@timestamp\` / 1000, 'Asia/Shanghai')), toHour(toDateTime(\`@timestamp\` / 1000, 'Asia/Shanghai')))
    ORDER BY (http_host, intHash64(\`@timestamp\`))
    SAMPLE BY intHash64(\`@timestamp\`)`,
  rows: () =>
    hosts.flatMap((_, host) => Array.from({ length: perHost }, (_unused, i) => request(host, i))),
};
