import { createHash } from 'node:crypto';
import { filterHeaders, type HeaderLines } from './headers';

/** Who asks: everything the caller's request says about its sender. */
export interface Caller {
  readonly headers: HeaderLines;
  /** The Service's path. */
  readonly prefix: string;
}

/**
 * Headers that differ from request to request and say nothing about who asks. All others count:
 * which ones identify a caller depends on how Elasticsearch or OpenSearch is set up (`authorization`,
 * `cookie`, `x-proxy-user`, `es-security-runas-user`, …), and one too many only costs a probe.
 */
const ANONYMOUS =
  /^(accept|accept-(charset|encoding|language)|cache-control|connection|content-(encoding|length|type)|date|elastic-apm-traceparent|expect|host|if-.+|keep-alive|kong-debug|origin|pragma|priority|referer|sec-.+|te|traceparent|tracestate|trailer|transfer-encoding|upgrade|user-agent|via|b3|uber-trace-id|x-b3-.+|x-datadog-.+|x-elastic-client-meta|x-elastic-product-origin|x-amzn-trace-id|x-forwarded-(host|path|port|prefix|proto)|x-kong-request-id|x-opaque-id|x-request-id|x-correlation-id|kbn-.+)$/;

/** A key under which what Elasticsearch says to a caller about a name may be kept: equal for callers that are not told apart. */
export function callerKey(name: string, { headers, prefix }: Caller): string {
  const identity = filterHeaders(headers, (header) => !ANONYMOUS.test(header));
  return createHash('sha256')
    .update(JSON.stringify([name, prefix, identity]))
    .digest('base64');
}
