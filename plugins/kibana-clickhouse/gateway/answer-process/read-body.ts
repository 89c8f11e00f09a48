import type { Readable } from 'node:stream';
import { promisify } from 'node:util';
import { gunzip, inflate, inflateRaw, type ZlibOptions } from 'node:zlib';
import { bodyTooLarge, illegalArgument } from '../../common/errors/catalogue';

/** Bytes: Elasticsearch's default of `http.max_content_length`, for the inflated body too. */
export const MAX_BODY_BYTES = 100 * 1024 * 1024;

interface Body {
  /** As it came. */
  readonly raw: Buffer;
  readonly inflated: Buffer;
}

interface BodySource {
  /** Undefined: the request has no body. */
  readonly stream: Readable | undefined;
  /** The `content-encoding` header. */
  readonly encoding: string | undefined;
}

const EMPTY = Buffer.alloc(0);
const inflaters = {
  gzip: promisify<Buffer, ZlibOptions, Buffer>(gunzip),
  zlib: promisify<Buffer, ZlibOptions, Buffer>(inflate),
  raw: promisify<Buffer, ZlibOptions, Buffer>(inflateRaw),
};

/**
 * Reads a body to its end. Nothing is executed before: while bytes are unread, Node does not see that
 * the client has gone. 413 above 100 MiB, 400 for an encoding other than gzip and deflate and for
 * bytes that are not in the encoding they claim.
 */
export async function readBody({ stream, encoding }: BodySource): Promise<Body> {
  const raw = stream === undefined ? EMPTY : await bytesOf(stream);
  return { raw, inflated: raw.length === 0 ? EMPTY : await inflated(raw, encoding) };
}

async function bytesOf(stream: Readable): Promise<Buffer> {
  const chunks: Buffer[] = [];
  let length = 0;
  for await (const chunk of stream) {
    const bytes = chunk as Buffer;
    length += bytes.length;
    if (length > MAX_BODY_BYTES) throw tooLarge();
    chunks.push(bytes);
  }
  return Buffer.concat(chunks, length);
}

async function inflated(raw: Buffer, encoding = 'identity'): Promise<Buffer> {
  const inflater = inflaterOf(encoding.trim().toLowerCase(), raw);
  if (!inflater) return raw;
  try {
    return await inflater(raw, { maxOutputLength: MAX_BODY_BYTES });
  } catch (error) {
    if (error instanceof Error && 'code' in error && error.code === 'ERR_BUFFER_TOO_LARGE')
      throw tooLarge();
    throw illegalArgument(`the body is not valid ${encoding}`, error);
  }
}

function inflaterOf(encoding: string, raw: Buffer): typeof inflaters.gzip | undefined {
  switch (encoding) {
    case '':
    case 'identity':
      return undefined;
    case 'gzip':
    case 'x-gzip':
      return inflaters.gzip;
    case 'deflate':
      // Both forms are in use; a zlib header's lower four bits are 8 (RFC 1950).
      return ((raw[0] ?? 0) & 0x0f) === 8 ? inflaters.zlib : inflaters.raw;
    default:
      throw illegalArgument(`Content-Encoding [${encoding}] is not supported`);
  }
}

const tooLarge = (): ReturnType<typeof bodyTooLarge> =>
  bodyTooLarge(
    `the request body is larger than http.max_content_length [${String(MAX_BODY_BYTES)}] bytes`,
  );
