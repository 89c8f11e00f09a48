import { readOptions, UsageError } from '../../dev/start/options';

describe('the options of npm start', () => {
  it('have defaults', () => {
    expect(readOptions([])).toEqual({
      port: 8000,
      rows: 1_000_000,
      demo: true,
      elasticsearch: [],
      init: [],
    });
  });

  it('are read', () => {
    const line =
      '--config kong.yml --port 18080 --data-dir data --init a.sql --init b.sql --no-demo ' +
      '--admin-key k --elasticsearch http://a:9200,https://b --elasticsearch http://c/';
    expect(readOptions(line.split(' '))).toEqual({
      config: 'kong.yml',
      port: 18080,
      dataDirectory: 'data',
      init: ['a.sql', 'b.sql'],
      demo: false,
      adminKey: 'k',
      rows: 1_000_000,
      elasticsearch: ['http://a:9200', 'https://b', 'http://c'],
    });
  });

  it.each([
    ['http://127.0.0.1:8123', { url: 'http://127.0.0.1:8123' }],
    ['http://host', { url: 'http://host:8123' }],
    ['http://host:80/', { url: 'http://host:80' }],
    ['https://host/logs', { url: 'https://host:8443', database: 'logs' }],
    ['http://[::1]:8124', { url: 'http://[::1]:8124' }],
    [
      'http://me:p%40ss@host:1/d%20b',
      { url: 'http://host:1', user: 'me', password: 'p@ss', database: 'd b' },
    ],
  ])('take ClickHouse’s address apart: %s', (url, clickHouse) => {
    expect(readOptions(['--clickhouse', url])).toMatchObject({ clickHouse, demo: false });
  });

  it.each([
    [['--bogus'], "Unknown option '--bogus'"],
    [['word'], "Unexpected argument 'word'"],
    [['--port'], 'argument missing'],
    [['--port', '70000'], '--port must be a whole number from 0 to 65535, not [70000]'],
    [['--port', '8e3'], 'not [8e3]'],
    [['--rows', '0'], '--rows must be a whole number from 1'],
    [['--rows', '5', '--no-demo'], '--rows is about the demo table'],
    [['--clickhouse', 'localhost:8123'], '--clickhouse must be a URL'],
    [['--clickhouse', 'http://a/b/c'], '--clickhouse must look like'],
    [['--clickhouse', 'http://a', '--init', 'x.sql'], '--init is for the embedded ClickHouse'],
    [['--clickhouse', 'http://a', '--data-dir', 'x'], '--data-dir is for the embedded ClickHouse'],
    [['--elasticsearch', 'ftp://a'], '--elasticsearch must be a URL'],
    [['--elasticsearch', 'http://u:p@a'], '--elasticsearch takes no user and password'],
    [['--admin-key', 'schlüssel'], '--admin-key must be visible ASCII'],
    [['--config', ''], '--config must not be empty'],
  ])('refuse %j', (args, reason) => {
    expect(() => readOptions(args)).toThrow(UsageError);
    expect(() => readOptions(args)).toThrow(reason);
  });

  it('never repeat a password', () => {
    const secret = ['--clickhouse', 'http://u:hidden@a/b/c'];
    expect(() => readOptions(secret)).toThrow(
      expect.objectContaining({ message: expect.not.stringContaining('hidden') }),
    );
  });

  it('know the wish for help', () => {
    expect(readOptions(['--help'])).toBeUndefined();
  });
});
