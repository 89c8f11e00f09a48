import fastify, { type FastifyInstance, type FastifyReply, type FastifyRequest } from 'fastify';
import type { Socket } from 'node:net';
import type { Readable } from 'node:stream';
import { forbidden, illegalArgument, storeUnavailable } from '../../common/errors/catalogue';
import type { Log } from '../../common/log';
import type { Metrics } from '../../common/metrics';
import { errorBody } from '../error-response';
import { HANDOVER_HEADER, type Handover } from '../handover';
import type { Lease } from '../runtime';
import { answer, locate, type Admitted } from './answer';
import { unsupportedType } from './content-type';
import { readHead, type RequestHead } from './request-head';
import { respond } from './respond';
import type { Runtimes } from './runtimes';
import { trustedHandover } from './trusted-handover';

interface ServerContext {
  /** Only requests that carry it are answered. */
  readonly secret: string;
  readonly runtimes: Runtimes;
  readonly log: Log;
  readonly metrics: Metrics;
}

/** Kong closes idle connections after 60 s: ours live longer, so that it never writes to a closed one. */
const KEEP_ALIVE_MS = 90_000;
/** The path arrives twice, in the request line and in X-Forwarded-Path. Bytes. */
const MAX_HEADER_BYTES = 256 * 1024;

/**
 * The HTTP server of the answer process. It listens nowhere yet. Every request is taken by the same
 * route: the endpoint table decides, on both sides of the hand-over.
 */
export function createAnswerServer(context: ServerContext): FastifyInstance {
  const server = fastify({
    clientErrorHandler: refuseMessage,
    bodyLimit: Number.MAX_SAFE_INTEGER,
    connectionTimeout: 0,
    exposeHeadRoutes: false,
    forceCloseConnections: 'idle',
    frameworkErrors: (error, request, reply) => {
      void refuse(context, request, reply, error);
    },
    http: { maxHeaderSize: MAX_HEADER_BYTES },
    keepAliveTimeout: KEEP_ALIVE_MS,
    logger: false,
    requestTimeout: 0,
    routerOptions: { maxParamLength: MAX_HEADER_BYTES },
  });
  server.addHttpMethod('GET', { hasBody: true, overrideExisting: true });
  server.addHttpMethod('HEAD', { hasBody: true, overrideExisting: true });
  server.removeAllContentTypeParsers();
  server.addContentTypeParser('*', (_request, payload, done) => {
    done(null, payload);
  });
  server.all('/*', (request, reply) => serve(context, request, reply));
  // Methods that fastify does not route
  server.setNotFoundHandler((request, reply) => serve(context, request, reply));
  server.setErrorHandler((error, request, reply) => refuse(context, request, reply, error));
  return server;
}

/** What fastify itself could not take: a malformed path or content type. */
async function refuse(
  { log }: ServerContext,
  request: FastifyRequest,
  reply: FastifyReply,
  error: unknown,
): Promise<FastifyReply> {
  const head = readHead(request.raw, reply.raw);
  const isOfRequest = isFastifyError(error) && error.statusCode < 500;
  if (isOfRequest && error.statusCode === 415) {
    await respond(reply, head, unsupportedType(head.headers.get('content-type') ?? ''));
    return reply;
  }
  const shown = isOfRequest ? illegalArgument(error.message) : error;
  await respond(reply, head, { kind: 'json', ...errorBody(shown, { log, id: head.id }) });
  return reply;
}

/** Bytes that are no HTTP request: there is no request to answer, only a connection. */
function refuseMessage(error: NodeJS.ErrnoException, socket: Socket): void {
  if (error.code === 'ECONNRESET' || !socket.writable) {
    socket.destroy();
    return;
  }
  const body = JSON.stringify(illegalArgument('the request is not valid HTTP').toBody());
  socket.end(
    [
      'HTTP/1.1 400 Bad Request',
      'x-elastic-product: Elasticsearch',
      'content-type: application/json; charset=UTF-8',
      `content-length: ${String(Buffer.byteLength(body))}`,
      'connection: close',
      '',
      body,
    ].join('\r\n'),
  );
}

const isFastifyError = (error: unknown): error is Error & { readonly statusCode: number } =>
  error instanceof Error && 'statusCode' in error && typeof error.statusCode === 'number';

async function serve(
  context: ServerContext,
  request: FastifyRequest,
  reply: FastifyReply,
): Promise<FastifyReply> {
  const startedAt = performance.now();
  const head = readHead(request.raw, reply.raw);
  const handover = trustedHandover(request.headers[HANDOVER_HEADER], context.secret);
  let lease: Lease | undefined;
  let log = context.log;
  let endpoint = 'none';
  reply.raw.once('close', () => {
    lease?.release();
    const ms = performance.now() - startedAt;
    const { id, method, fullPath } = head;
    const line = { id, method, path: fullPath, status: reply.statusCode, ms: Math.round(ms) };
    log.debug(line, 'answered');
    // A client that went away has got no status: nginx' own code for it.
    context.metrics.request(endpoint, head.signal.aborted ? 499 : reply.statusCode, ms);
  });
  let index: string | undefined;
  try {
    lease = handover && (await context.runtimes.lease(handover.runtime, handover));
    log = lease?.runtime.log ?? log;
    // A client that went away meanwhile: nobody releases it any more.
    if (reply.raw.closed) lease?.release();
    const located = locate(head, admitted(handover, lease));
    if (located.match.kind === 'found') endpoint = located.match.endpoint.name;
    index = located.match.kind === 'found' ? located.match.params['index'] : undefined;
    await respond(reply, head, await answer(located, request.body as Readable | undefined));
  } catch (error) {
    if (reply.sent || head.signal.aborted) reply.raw.destroy();
    else await fail(reply, head, { error, log, index });
  }
  return reply;
}

interface Failure {
  readonly error: unknown;
  readonly log: Log;
  readonly index: string | undefined;
}

async function fail(reply: FastifyReply, head: RequestHead, failure: Failure): Promise<void> {
  const { status, body } = errorBody(failure.error, { ...failure, id: head.id });
  for (const name of Object.keys(reply.getHeaders())) reply.removeHeader(name);
  // Nobody reads the rest of a body that is too large.
  if (status === 413) reply.header('connection', 'close');
  await respond(reply, head, { kind: 'json', status, body });
}

/** The request came through Kong, and its configuration is known. */
function admitted(handover: Handover | undefined, lease: Lease | undefined): Admitted {
  if (!handover)
    throw forbidden('[kibana-clickhouse] requests are answered only when they come through Kong');
  if (!lease)
    throw storeUnavailable(
      '[kibana-clickhouse] the configuration of this request is not known any more; repeat the request, and if that does not help, reconfigure the plugin',
    );
  return { handover, runtime: lease.runtime };
}
