import { Router } from '../../../dev/gateway/router/router';
import type { Route } from '../../../dev/gateway/configuration';

const service = { id: 's', protocol: 'http', host: 'es', port: 9200 } as Route['service'];

const route = (name: string, given: Partial<Route>): Route => ({
  id: name,
  name,
  service,
  protocols: ['http', 'https'],
  regex_priority: 0,
  strip_path: true,
  preserve_host: false,
  https_redirect_status_code: 426,
  plugins: [],
  ...given,
});

const taken = (routes: readonly Route[], path: string, method = 'GET', host = 'kong'): string =>
  new Router(routes).match({ method, path, host })?.route.name ?? 'none';

describe('precedence', () => {
  test('the longer prefix wins, whatever the order', () => {
    const routes = [route('short', { paths: ['/a'] }), route('long', { paths: ['/a/b'] })];
    expect(taken(routes, '/a/b/c')).toBe('long');
    expect(taken([...routes].reverse(), '/a/b/c')).toBe('long');
    expect(taken(routes, '/a/c')).toBe('short');
  });

  test('a regex wins over a longer prefix', () => {
    const routes = [
      route('prefix', { paths: ['/config/a/long/one'] }),
      route('regex', { paths: ['~/config/.+'] }),
    ];
    expect(taken(routes, '/config/a/long/one')).toBe('regex');
    expect(taken(routes, '/config')).toBe('none');
  });

  test('among regexes regex_priority decides, then their order', () => {
    const routes = [
      route('first', { paths: ['~/a.*'] }),
      route('second', { paths: ['~/a/b.*'] }),
      route('raised', { paths: ['~/a/b/c.*'], regex_priority: 1 }),
    ];
    expect(taken(routes, '/a/b')).toBe('first');
    expect(taken(routes, '/a/b/c')).toBe('raised');
  });

  test('a route with methods and paths beats a longer path without methods', () => {
    const routes = [
      route('longer', { paths: ['/adm2'] }),
      route('with methods', { paths: ['/adm'], methods: ['GET'] }),
    ];
    expect(taken(routes, '/adm2')).toBe('with methods');
    expect(taken(routes, '/adm2', 'POST')).toBe('longer');
    expect(taken(routes, '/adm', 'POST')).toBe('none');
  });

  test('a route with a host beats one with a method; plain hosts beat wildcards', () => {
    const routes = [
      route('method', { methods: ['GET'], paths: ['/'] }),
      route('wildcard', { hosts: ['*.example.org'], paths: ['/'] }),
      route('plain', { hosts: ['kibana.example.org'], paths: ['/'] }),
    ];
    expect(taken(routes, '/', 'GET', 'kibana.example.org:8000')).toBe('plain');
    expect(taken(routes, '/', 'GET', 'x.example.org')).toBe('wildcard');
    expect(taken(routes, '/', 'GET', 'other')).toBe('method');
  });

  test('each path of a route is ranked by itself', () => {
    const routes = [
      route('both', { paths: ['/a', '/x/y/z'] }),
      route('between', { paths: ['/a/b'] }),
    ];
    expect(taken(routes, '/a/b')).toBe('between');
    expect(taken(routes, '/x/y/z')).toBe('both');
  });
});

describe('paths', () => {
  test('a prefix also matches what only begins like it', () => {
    expect(taken([route('admin', { paths: ['/adm'] })], '/admX')).toBe('admin');
  });

  test('a regex is anchored at the start and not at the end', () => {
    const routes = [
      route('health', { paths: ['~/(health|metrics)$'] }),
      route('check', { paths: ['~/check/'] }),
    ];
    expect(taken(routes, '/x/health')).toBe('none');
    expect(taken(routes, '/health/x')).toBe('none');
    expect(taken(routes, '/metrics')).toBe('health');
    expect(taken(routes, '/check/anything')).toBe('check');
  });

  test.each([
    ['/l%6Fgs/_search', '/logs/_search'],
    ['//logs', '/logs'],
    ['/x/../logs', '/logs'],
    ['/a%2cb/_search', '/a%2Cb/_search'],
  ])('the path that is matched and forwarded is the normalised one: %s', (path, forwarded) => {
    const match = new Router([route('all', { paths: ['/'], strip_path: false })]).match({
      method: 'GET',
      path,
      host: 'kong',
    });
    expect(match?.upstreamPath).toBe(forwarded);
  });

  test('strip_path takes the prefix or what the regex matched away', () => {
    const routes = [
      route('prefix', { paths: ['/kibana'] }),
      route('regex', { paths: ['~/v\\d+/es'] }),
      route('kept', { paths: ['/kept'], strip_path: false }),
    ];
    const router = new Router(routes);
    const forwarded = (path: string): readonly (string | undefined)[] => {
      const match = router.match({ method: 'GET', path, host: 'kong' });
      return [match?.upstreamPath, match?.prefix];
    };
    expect(forwarded('/kibana/logs/_search')).toEqual(['/logs/_search', '/kibana']);
    expect(forwarded('/kibana')).toEqual(['/', '/kibana']);
    expect(forwarded('/v12/es/logs')).toEqual(['/logs', '/v12/es']);
    expect(forwarded('/kept/logs')).toEqual(['/kept/logs', undefined]);
    expect(forwarded('/kibana../x')).toEqual(['/x', '/kibana']);
  });
});
