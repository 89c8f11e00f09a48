import { escapePath, isAcceptablePath, normalizePath } from '../../../dev/gateway/router/uri';
import { upstreamPath } from '../../../dev/gateway/router/upstream-path';

describe('normalised path', () => {
  test.each([
    ['/', '/'],
    ['/logs/_search', '/logs/_search'],
    ['/l%6Fgs/_search', '/logs/_search'],
    ['/l%6fgs', '/logs'],
    ['//logs', '/logs'],
    ['/logs//_search///', '/logs/_search/'],
    ['/x/../logs', '/logs'],
    ['/./logs/.', '/logs/'],
    ['/logs/..', '/'],
    ['/a/b/%2e%2e/c', '/a/c'],
    ['/a/..%2fb', '/a/..%2Fb'],
    ['/a%2cb', '/a%2Cb'],
    ['/logs%2a', '/logs%2A'],
    ['/%3clogs-%7bnow%2fd%7d%3e', '/<logs-{now%2Fd}>'],
    ['/a%20b', '/a b'],
    ['/a%25b', '/a%25b'],
    ['/.kibana/_search', '/.kibana/_search'],
    ['/a...b/_doc', '/a...b/_doc'],
    ['/%c3%a4', '/\u00c3\u00a4'],
  ])('%s becomes %s', (raw, normalised) => {
    expect(normalizePath(raw)).toBe(normalised);
  });

  test.each([
    ['/a b', '/a%20b'],
    ['/<logs-{now%2Fd}>', '/%3Clogs-%7Bnow%2Fd%7D%3E'],
    ['/\u00c3\u00a4', '/%C3%A4'],
    ["/a!*'();:@&=+$,[]~-_.", "/a!*'();:@&=+$,[]~-_."],
    ['/a"\\^`|', '/a%22%5C%5E%60%7C'],
  ])('%s is sent as %s', (path, sent) => {
    expect(escapePath(path)).toBe(sent);
  });

  test.each([
    ['/a%00b', false],
    ['/a%zzb', false],
    ['/a%2', false],
    ['/..', false],
    ['/a/../../b', false],
    ['/a/%2e%2e/..', false],
    ['*', false],
    ['/a/../b', true],
    ['/a%2Fb', true],
  ])('nginx takes %s: %s', (path, taken) => {
    expect(isAcceptablePath(path)).toBe(taken);
  });
});

describe('path_handling v0', () => {
  // Service's path, Route's path, request, strip_path, forwarded path: the table of Kong's documentation.
  test.each([
    ['/', '/fv0', '/fv0req', true, '/req'],
    ['/', '/fv0', '/fv0/req', true, '/req'],
    ['/', '/fv0', '/fv0', true, '/'],
    ['/', '/fv0', '/fv0req', false, '/fv0req'],
    ['/', '/fv0/', '/fv0/req', true, '/req'],
    ['/srv', '/rv0', '/rv0/req', true, '/srv/req'],
    ['/srv', '/rv0', '/rv0req', true, '/srv/req'],
    ['/srv', '/rv0', '/rv0', true, '/srv'],
    ['/srv', '/rv0/', '/rv0/', true, '/srv/'],
    ['/srv', '/rv0', '/rv0/req', false, '/srv/rv0/req'],
    ['/srv', '/', '/', false, '/srv'],
    ['/srv/', '/rv0', '/rv0/req', true, '/srv/req'],
    ['/srv/', '/rv0', '/rv0', true, '/srv'],
    ['/srv/', '/rv0/', '/rv0/', true, '/srv/'],
    ['/srv/', '/rv0', '/rv0/req', false, '/srv/rv0/req'],
    ['/srv/', '/', '/', false, '/srv/'],
  ])('%s %s %s strip_path=%s gives %s', (...[base, routePath, path, stripPath, forwarded]) => {
    const postfix = path.slice(routePath.length);
    expect(upstreamPath({ base, path, postfix, stripPath })).toBe(forwarded);
  });
});
