import type { GatewayRequest } from '../endpoints/definition';

type Headers = GatewayRequest['headers'];

const COMPATIBLE =
  /application\/vnd\.elasticsearch\+(?:x-ndjson|json)\s*;\s*compatible-with\s*=\s*(\d+)/i;

/**
 * The content type of an answer: the compatible form with its version where the request asked for it
 * (`accept`, else the type of its own body), as Elasticsearch 7.17 to 9 answers.
 */
export function answerType(headers: Headers): string {
  const accept = headers.get('accept');
  const version =
    COMPATIBLE.exec(accept ?? '')?.[1] ??
    (acceptsAnything(accept) ? COMPATIBLE.exec(headers.get('content-type') ?? '')?.[1] : undefined);
  return version === undefined
    ? 'application/json; charset=UTF-8'
    : `application/vnd.elasticsearch+json;compatible-with=${version}`;
}

const acceptsAnything = (accept: string | undefined): boolean =>
  accept === undefined || accept.trim() === '' || accept.trim() === '*/*';

/** Whether the request takes a gzipped answer: it names gzip with a weight other than 0. */
export const takesGzip = (headers: Headers): boolean =>
  (headers.get('accept-encoding') ?? '')
    .split(',')
    .some((coding) => /^\s*(?:x-)?gzip\s*(?:;(?!\s*q=0(?:\.0*)?\s*$).*)?$/i.test(coding));
