import { randomUUID } from 'node:crypto';
import type { IncomingMessage, ServerResponse } from 'node:http';
import type { GatewayRequest } from '../endpoints/definition';
import { decodeSegment, pathSegments } from '../endpoints/path';
import { HANDOVER_HEADER } from '../handover';

/** What is known of a request before its body is read and before it is known where it belongs. */
export type RequestHead = Pick<
  GatewayRequest,
  'headers' | 'id' | 'method' | 'query' | 'rawHeaders' | 'rawQuery' | 'signal'
> & {
  /** With the Service's path in front. */
  readonly fullPath: string;
};

/** Longest `x-opaque-id` taken as the id in logs, in characters. */
const MAX_ID_LENGTH = 512;

/** Reads request line and headers; the signal is aborted when the client goes away early. */
export function readHead(message: IncomingMessage, response: ServerResponse): RequestHead {
  const [fullPath = '', ...rest] = (message.url ?? '').split('?');
  const rawQuery = rest.join('?');
  const rawHeaders = withoutHandover(message.rawHeaders);
  const headers = joined(rawHeaders);
  return {
    method: message.method ?? 'GET',
    fullPath,
    rawQuery,
    query: new Map(new URLSearchParams(rawQuery)),
    headers,
    rawHeaders,
    signal: signalOf(response),
    id: headers.get('x-opaque-id')?.slice(0, MAX_ID_LENGTH) ?? randomUUID(),
  };
}

/**
 * Takes the Service's path off, compared decoded: Kong normalises it in the request but not in the
 * Service. A path that does not start with it (another plugin rewrote it) stays whole, and then has
 * no prefix.
 */
export function splitPrefix(
  fullPath: string,
  prefix: string,
): Pick<GatewayRequest, 'path' | 'prefix'> {
  const parts = pathSegments(prefix);
  const segments = pathSegments(fullPath);
  const isPrefixed = parts.every((part, i) => decoded(part) === decoded(segments[i] ?? ''));
  if (parts.length === 0 || !isPrefixed) return { path: fullPath, prefix: '' };
  return { path: `/${segments.slice(parts.length).join('/')}`, prefix };
}

const decoded = (segment: string): string => decodeSegment(segment) ?? segment;

function withoutHandover(lines: readonly string[]): readonly string[] {
  const at = lines.findIndex((line, i) => i % 2 === 0 && line.toLowerCase() === HANDOVER_HEADER);
  return at < 0 ? lines : withoutHandover([...lines.slice(0, at), ...lines.slice(at + 2)]);
}

function joined(lines: readonly string[]): ReadonlyMap<string, string> {
  const headers = new Map<string, string>();
  for (let i = 0; i + 1 < lines.length; i += 2) {
    const name = (lines[i] ?? '').toLowerCase();
    const before = headers.get(name);
    const value = lines[i + 1] ?? '';
    headers.set(name, before === undefined ? value : `${before}, ${value}`);
  }
  return headers;
}

function signalOf(response: ServerResponse): AbortSignal {
  const controller = new AbortController();
  response.once('close', () => {
    if (!response.writableFinished) controller.abort();
  });
  return controller.signal;
}
