import { Readable } from 'node:stream';
import { unsupported } from '../../common/errors/catalogue';
import type { ElasticsearchError } from '../../common/errors/elasticsearch-error';
import type { GatewayResponse, Method, Role } from '../endpoints/definition';
import { paramsOf } from '../endpoints/match';
import { decodeSegment, pathSegments } from '../endpoints/path';
import { ELASTICSEARCH_PATHS } from './elasticsearch-paths';
import { changingMethods, changingPaths, whyRefused } from './refused-paths';

interface RequestLine {
  readonly role: Role;
  readonly method: string;
  /** Without the Service's path, percent-encoded. */
  readonly path: string;
  readonly rawQuery: string;
}

/**
 * Elasticsearch's 405 for a path that exists with other methods: `error` is a string, `Allow` names
 * them (Elasticsearch 7.17, `RestController`); OPTIONS gets them with 200. Where Elasticsearch has the method, too, because
 * it changes an index by it, it is refused by name (thrown).
 */
export function methodNotAllowed(line: RequestLine, allow: readonly Method[]): GatewayResponse {
  if (line.method === 'OPTIONS') return methodsOf(allow);
  if (line.role === 'proxy' && changes(line)) throw noWriting(line);
  const error = `Incorrect HTTP method for uri [${uriOf(line)}] and method [${line.method}], allowed: [${allow.join(', ')}]`;
  return {
    kind: 'json',
    status: 405,
    body: { error, status: 405 },
    headers: { allow: allow.join(',') },
  };
}

const methodsOf = (allow: readonly Method[]): GatewayResponse => ({
  kind: 'raw',
  status: 200,
  headers: {
    allow: allow.join(','),
    'content-type': 'text/plain; charset=UTF-8',
    'content-length': '0',
    'x-elastic-product': 'Elasticsearch',
  },
  body: Readable.from([]),
});

/**
 * The 400 for a path that has no endpoint. On an index that is served from ClickHouse, what only
 * Elasticsearch could answer is refused by name (thrown); what Elasticsearch does not know either gets
 * its own words, where `error` is a string and `status` is missing.
 */
export function noEndpoint(line: RequestLine): GatewayResponse {
  const [index, name] = decoded(line.path);
  const isKnown = index !== undefined && (name === undefined || ELASTICSEARCH_PATHS.has(name));
  if (line.role === 'proxy' && isKnown) {
    if (changingPaths.has(name ?? '') || changes(line)) throw noWriting(line);
    const why = whyRefused[name ?? ''];
    throw unsupported(
      `endpoint [${line.method} ${line.path}] on the index [${index}], which is answered from ClickHouse${why === undefined ? '' : `: ${why}`}`,
    );
  }
  const error = `no handler found for uri [${uriOf(line)}] and method [${line.method}]`;
  return { kind: 'json', status: 400, body: { error } };
}

const decoded = (path: string): readonly string[] =>
  pathSegments(path).map((segment) => decodeSegment(segment) ?? segment);

const changes = ({ method, path }: RequestLine): boolean =>
  changingMethods.some(
    ({ template, methods }) =>
      methods.some((one) => one === method) && paramsOf(template, decoded(path)) !== undefined,
  );

const noWriting = ({ method, path }: RequestLine): ElasticsearchError =>
  unsupported(
    `[${method} ${path}] would change the index [${decoded(path)[0] ?? ''}], which is answered from ClickHouse: its rows and columns are changed there`,
  );

const uriOf = ({ path, rawQuery }: RequestLine): string =>
  rawQuery === '' ? path : `${path}?${rawQuery}`;
