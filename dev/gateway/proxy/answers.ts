import type { ServerResponse } from 'node:http';
import type { Exit } from '../exchange';
import { HeaderList } from './header-list';

/** How the gateway names itself where Kong says `kong/3.9.1`. */
export const SERVER_NAME = 'kong/3.9 (local gateway)';

/** Kong 3.9's sentences for the errors it answers itself (`kong/error_handlers.lua`). */
export const MESSAGES = {
  400: 'Bad request',
  401: 'Unauthorized',
  404: 'no Route matched with those values',
  414: 'URI too long',
  426: 'Please use HTTPS protocol',
  500: 'An unexpected error occurred',
  502: 'An invalid response was received from the upstream server',
  503: 'name resolution failed',
  504: 'The upstream server is timing out',
} as const;

/** Kong's error in its JSON form; `message` instead of the sentence that belongs to the status. */
export function errorExit(
  status: keyof typeof MESSAGES | 403,
  requestId: string,
  message = status === 403 ? 'Forbidden' : MESSAGES[status],
): Exit {
  const headers = new HeaderList();
  headers.set('Content-Type', 'application/json; charset=utf-8');
  const body = `{\n  "message":${JSON.stringify(message)},\n  "request_id":"${requestId}"\n}`;
  return { status, headers, body: Buffer.from(body) };
}

const BODILESS = new Set([204, 304]);

/** Sends an answer of the gateway or of a plugin; `extra` are the headers that plugins have added. */
export function sendExit(
  response: ServerResponse,
  exit: Exit,
  extra: HeaderList,
  requestId: string,
): void {
  if (response.headersSent || response.destroyed) {
    response.destroy();
    return;
  }
  const headers = new HeaderList();
  for (const [name, value] of extra.lines) headers.add(name, value);
  for (const [name] of exit.headers.lines) headers.delete(name);
  for (const [name, value] of exit.headers.lines) headers.add(name, value);
  if (!BODILESS.has(exit.status)) headers.set('Content-Length', String(exit.body.length));
  if (headers.first('server') === undefined) headers.add('Server', SERVER_NAME);
  headers.set('X-Kong-Request-Id', requestId);
  response.writeHead(exit.status, headers.toRaw());
  response.end(BODILESS.has(exit.status) ? undefined : exit.body);
}
