import { unsupported } from '../../common/errors/catalogue';
import type { GatewayResponse, Method, Role } from '../endpoints/definition';
import { decodeSegment, pathSegments } from '../endpoints/path';
import { ELASTICSEARCH_PATHS } from './elasticsearch-paths';

interface RequestLine {
  readonly role: Role;
  readonly method: string;
  /** Without the Service's path, percent-encoded. */
  readonly path: string;
  readonly rawQuery: string;
}

/**
 * Elasticsearch's 405 for a path that exists with other methods: `error` is a string, `Allow` names
 * them (Elasticsearch 7.17, `RestController`).
 */
export function methodNotAllowed(line: RequestLine, allow: readonly Method[]): GatewayResponse {
  const error = `Incorrect HTTP method for uri [${uriOf(line)}] and method [${line.method}], allowed: [${allow.join(', ')}]`;
  return {
    kind: 'json',
    status: 405,
    body: { error, status: 405 },
    headers: { allow: allow.join(',') },
  };
}

/**
 * The 400 for a path that has no endpoint. On an index that is served from ClickHouse, what only
 * Elasticsearch could answer is refused by name (thrown); what Elasticsearch does not know either gets
 * its own words, where `error` is a string and `status` is missing.
 */
export function noEndpoint(line: RequestLine): GatewayResponse {
  const [index, name] = pathSegments(line.path).map((segment) => decodeSegment(segment) ?? segment);
  const isKnown = index !== undefined && (name === undefined || ELASTICSEARCH_PATHS.has(name));
  if (line.role === 'proxy' && isKnown)
    throw unsupported(
      `endpoint [${line.method} ${line.path}] on the index [${index}], which is answered from ClickHouse`,
    );
  const error = `no handler found for uri [${uriOf(line)}] and method [${line.method}]`;
  return { kind: 'json', status: 400, body: { error } };
}

const uriOf = ({ path, rawQuery }: RequestLine): string =>
  rawQuery === '' ? path : `${path}?${rawQuery}`;
