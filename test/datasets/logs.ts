import type { JsonObject, JsonValue } from '../../plugins/kibana-clickhouse/common/json/json';
import {
  type Dataset,
  type DatasetColumn,
  type DatasetRow,
  boolean,
  date,
  dateNanos,
  double,
  geoPoint,
  integer,
  ip,
  keyword,
  long,
  short,
  text,
} from './dataset';
import { numbersFrom } from './random';

const rows = 3000;
const firstMs = Date.UTC(2024, 0, 1);
const dayMs = 86_400_000;
/** Half of the lines lie in the first day, the rest in the six days after it. */
const momentOf = (i: number): number =>
  i < rows / 2
    ? firstMs + Math.floor((i * dayMs) / (rows / 2))
    : firstMs + dayMs + Math.floor(((i - rows / 2) * 6 * dayMs) / (rows / 2));

type Choices = Readonly<Record<string, readonly string[]>>;

/** Keywords that every line has, and their values: those that filters of dashboards name, and others. */
const always: Choices = {
  'data_stream.dataset': [
    'nginx.access',
    'nginx.error',
    'nginx.ingress_controller',
    'apache.access',
    'apache.error',
    'mysql.error',
    'mysql.slowlog',
    'postgresql.log',
    'redis.log',
    'redis.slowlog',
    'system.auth',
    'system.syslog',
    'kafka.log',
  ],
  'host.name': [
    'web-1',
    'web-2',
    'db-1',
    'vagrant-VirtualBox',
    'filebeat-demo-green-mqvn6',
    'filebeat-demo-green-l6sb5',
    'filebeat-demo-green-6lcdw',
    'filebeat-demo-green-hdkld',
  ],
  level: ['error', 'warn', 'info', 'debug', 'ERROR', 'alpha', 'beta', 'er"ror', 'x', 'y'],
  service: ['api', 'web', 'auth', 'a:b', 'a', 'b', 'ap'],
};

/** Keywords that a part of the lines has. */
const sometimes: Choices = {
  'log.level': ['error', 'ERROR', 'WARN', 'notice'],
  'user.name': ['root', 'vpotter', 'ortizmichael', 'amandabennett'],
  'user.id': ['0', '1000', '1001'],
  'group.id': ['0', '1000'],
  'group.name': ['wheel', 'users', 'docker'],
  'host.hostname': ['web-1', 'web-2', 'db-1'],
  'host.os.name': ['Fedora', 'Ubuntu'],
  'host.os.kernel': ['5.4.0', '5.15.0', '6.1.0'],
  'source.address': ['10.0.0.1', 'gateway', '2001:db8::1'],
  'source.geo.continent_name': ['North America', 'Europe', 'Asia'],
  'source.geo.country_iso_code': ['CN', 'US', 'PL', 'DE'],
  'user_agent.name': ['Firefox', 'Chrome', 'curl'],
  'user_agent.version': ['68.0', '120.0', '8.4.0'],
  'user_agent.os.name': ['Linux', 'Windows', 'Mac OS X'],
  'user_agent.os.version': ['10', '11', '14.1'],
  'process.name': ['kernel', 'sshd', 'systemd'],
  'kubernetes.pod.name': ['nginx-7f', 'redis-0'],
  'system.auth.ssh.event': ['Accepted', 'Failed', 'Invalid'],
  'system.auth.ssh.method': ['password', 'publickey'],
  'system.auth.sudo.command': ['/usr/bin/id', '/bin/bash'],
  'system.auth.useradd.home': ['/home/elasticsearch', '/home/kibana'],
  'system.auth.useradd.shell': ['/sbin/nologin', '/bin/bash'],
  'kafka.log.trace.class': ['java.io.IOException', 'java.lang.NullPointerException'],
  'mysql.slowlog.query': ['SELECT SLEEP(5)', 'SELECT * FROM t WHERE a = "x"'],
  'redis.slowlog.cmd': ['BRPOP', 'GET', 'KEYS'],
  'redis.slowlog.key': ['queue', 'session:1'],
  'url.original': ['/', '/index.html', '/search?q=a%20b'],
};

const messages: readonly string[] = [
  'error: connection refused',
  'connection refused by peer',
  'request timeout after 30 s',
  'hello world',
  'Hello World again',
  'a b c',
  'error',
  'user root logged in',
];

const skus: readonly string[] = ['abc', 'def', 'ghi'];
const optional = { nullable: true } as const;

const keywordsOf = (choices: Choices, shape = {}): readonly DatasetColumn[] =>
  Object.keys(choices).map((name) => keyword(name, shape));

const columns: readonly DatasetColumn[] = [
  date('@timestamp'),
  integer('line'),
  dateNanos('nanos'),
  date('ingested_at', optional),
  date('event.created', optional),
  ...keywordsOf(always),
  ...keywordsOf(sometimes, optional),
  text('message'),
  text('error.message', optional),
  keyword('items.sku', { array: true }),
  keyword('tags', { array: true }),
  long('bytes'),
  long('event.duration', optional),
  long('redis.slowlog.duration.us', optional),
  long('http.response.body.bytes', optional),
  long('source.bytes', optional),
  double('duration'),
  double('mysql.slowlog.lock_time.sec', optional),
  short('status', optional),
  integer('http.response.status_code', optional),
  boolean('ok', optional),
  ip('client_ip'),
  geoPoint('geo.location'),
];

function logRow(i: number, random: () => number): DatasetRow {
  const pick = <T>(values: readonly T[]): T =>
    values[Math.floor(random() ** 1.5 * values.length)] as T;
  const maybe = (share: number, value: () => JsonValue): JsonValue =>
    random() < share ? value() : null;
  const below = (limit: number): number => Math.floor(random() * limit);
  const at = momentOf(i);
  const time = new Date(at).toISOString();
  const picked = (choices: Choices): JsonObject =>
    Object.fromEntries(Object.entries(choices).map(([name, values]) => [name, pick(values)]));
  const optionals = Object.entries(sometimes).map(([name, values]): [string, JsonValue] => [
    name,
    maybe(0.4, () => pick(values)),
  ]);
  return {
    '@timestamp': time,
    line: i,
    nanos: time.replace('Z', `${String(below(1_000_000)).padStart(6, '0')}Z`),
    ingested_at: maybe(0.8, () => new Date(at + below(5000)).toISOString()),
    'event.created': maybe(0.5, () => new Date(at - below(5000)).toISOString()),
    ...picked(always),
    ...Object.fromEntries(optionals),
    message: pick(messages),
    'error.message': maybe(0.2, () => pick(messages)),
    'items.sku': skus.filter(() => random() < 0.3),
    tags: random() < 0.5 ? [] : [pick(['prod', 'test']), pick(['prod', 'blue', 'green'])],
    bytes: pick([below(20), below(200), 100, 200, below(5000), below(100_000)]),
    'event.duration': maybe(0.6, () => below(400_000_000)),
    'redis.slowlog.duration.us': maybe(0.3, () => below(5000)),
    'http.response.body.bytes': maybe(0.5, () => below(10_000)),
    'source.bytes': maybe(0.3, () => below(10_000)),
    duration: pick([0.5, 1.25, random(), Math.round(random() * 1000) / 8]),
    'mysql.slowlog.lock_time.sec': maybe(0.3, () => below(1000) / 1000),
    status: maybe(0.9, () => pick([200, 404, 500, 301, 503, 201])),
    'http.response.status_code': maybe(0.7, () => pick([200, 404, 500, 302, 400])),
    ok: maybe(0.9, () => random() < 0.7),
    client_ip: `::ffff:10.0.${String(below(3))}.${String(below(10))}`,
    'geo.location': { lat: below(180) - 90, lon: below(360) - 180 },
  };
}

/**
 * Log lines of the first week of 2024, half of them on its first day: the fields that requests to `logs-*` name most, typed
 * by their use, with the values that such requests filter by.
 */
export const logs: Dataset = {
  name: 'logs',
  columns,
  uniqueField: 'line',
  orderBy: ['@timestamp', 'line'],
  rows: function* () {
    const random = numbersFrom(20240101);
    for (let i = 0; i < rows; i += 1) yield logRow(i, random);
  },
};
