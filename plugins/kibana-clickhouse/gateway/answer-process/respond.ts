import type { FastifyReply } from 'fastify';
import { Readable, pipeline } from 'node:stream';
import { promisify } from 'node:util';
import { constants, createGzip, gzip, type ZlibOptions } from 'node:zlib';
import { writeJson } from '../../common/json/write-json';
import type { GatewayResponse } from '../endpoints/definition';
import { answerType, takesGzip } from './negotiate';
import type { RequestHead } from './request-head';

/** An answer that ends below this many bytes is sent whole, with its length. */
const STREAM_FROM_BYTES = 1024 * 1024;
/** Smaller answers are not worth compressing, in bytes. */
const GZIP_FROM_BYTES = 1024;
/** The fastest level: the answer goes over the loopback to Kong. */
const GZIP: ZlibOptions = { level: constants.Z_BEST_SPEED };
const gzipped = promisify<Buffer, ZlibOptions, Buffer>(gzip);

type Asked = Pick<RequestHead, 'headers' | 'method'>;

/**
 * Sends an answer. Ours get the product header (Kibana 8 refuses an answer without it), the content
 * type the request asked for, its `x-opaque-id`, and gzip where it asked for that; Elasticsearch's go
 * on as they came. HEAD gets all headers, the length too, and no body.
 */
export async function respond(
  reply: FastifyReply,
  asked: Asked,
  response: GatewayResponse,
): Promise<void> {
  reply.code(response.status);
  if (response.kind === 'raw') {
    sendRaw(reply, asked, response);
    return;
  }
  if (response.kind === 'json') {
    addOwnHeaders(reply, asked);
    for (const [name, value] of Object.entries(response.headers ?? {})) reply.header(name, value);
    return sendWhole(reply, asked, Buffer.from(writeJson(response.body)));
  }
  const start = await readStart(
    response.body,
    asked.method === 'HEAD' ? Infinity : STREAM_FROM_BYTES,
  );
  addOwnHeaders(reply, asked);
  for (const [name, value] of Object.entries(response.headers ?? {})) reply.header(name, value);
  if (start.ended) return sendWhole(reply, asked, start.bytes);
  sendStream(reply, asked, start.bytes, response.body);
}

function addOwnHeaders(reply: FastifyReply, { headers }: Asked): void {
  reply.header('x-elastic-product', 'Elasticsearch');
  reply.header('content-type', answerType(headers));
  const opaqueId = headers.get('x-opaque-id');
  if (opaqueId !== undefined) reply.header('x-opaque-id', opaqueId);
}

async function sendWhole(
  reply: FastifyReply,
  { headers, method }: Asked,
  bytes: Buffer,
): Promise<void> {
  const isGzip = bytes.length >= GZIP_FROM_BYTES && takesGzip(headers);
  const body = isGzip ? await gzipped(bytes, GZIP) : bytes;
  if (isGzip) reply.header('content-encoding', 'gzip');
  reply.header('content-length', body.length);
  reply.send(method === 'HEAD' ? undefined : body);
}

function sendStream(reply: FastifyReply, { headers }: Asked, start: Buffer, rest: Readable): void {
  // nginx would otherwise collect the answer in a temporary file and ClickHouse would run ahead
  reply.header('x-accel-buffering', 'no');
  // An error of the source destroys what is sent, and with it the connection: no client takes a
  // broken answer for a whole one.
  const whole = Readable.from(joined(start, rest), { objectMode: false });
  if (!takesGzip(headers)) {
    reply.send(whole);
    return;
  }
  reply.header('content-encoding', 'gzip');
  reply.send(pipeline(whole, createGzip(GZIP), () => undefined));
}

function sendRaw(
  reply: FastifyReply,
  { method }: Asked,
  { headers, body }: Extract<GatewayResponse, { kind: 'raw' }>,
): void {
  for (const [name, value] of Object.entries(headers))
    reply.header(name, typeof value === 'string' ? value : [...value]);
  if (method === 'HEAD') {
    body.resume();
    reply.send();
    return;
  }
  reply.send(body);
}

interface Start {
  readonly bytes: Buffer;
  readonly ended: boolean;
}

/** Reads until a stream ends or has given that many bytes: so long, an error still has a status. */
async function readStart(body: Readable, limit: number): Promise<Start> {
  const chunks: Buffer[] = [];
  let length = 0;
  for await (const chunk of body.iterator({ destroyOnReturn: false })) {
    const bytes = Buffer.from(chunk as Buffer | string);
    chunks.push(bytes);
    length += bytes.length;
    if (length >= limit) return { bytes: Buffer.concat(chunks, length), ended: false };
  }
  return { bytes: Buffer.concat(chunks, length), ended: true };
}

async function* joined(start: Buffer, rest: Readable): AsyncGenerator<Buffer | string> {
  yield start;
  for await (const chunk of rest) yield chunk as Buffer | string;
}
