import { createServer, type Socket } from 'node:net';
import { createServer as createHttpServer, type IncomingMessage } from 'node:http';
import type { AddressInfo } from 'node:net';
import { judgeRequest, judgeRequester } from '../judge/request';

describe('a request to the judge', () => {
  it('that is never answered fails by name', async () => {
    const sockets: Socket[] = [];
    const silent = createServer((socket) => {
      socket.on('error', () => undefined);
      sockets.push(socket);
    });
    await new Promise<void>((done) => silent.listen(0, '127.0.0.1', done));
    const url = `http://127.0.0.1:${String((silent.address() as AddressInfo).port)}`;
    await expect(judgeRequester(200)(url, 'POST', '/logs/_search', {})).rejects.toThrow(
      'POST /logs/_search: no answer within 0.2 s',
    );
    for (const socket of sockets) socket.destroy();
    await new Promise((done) => silent.close(done));
  });

  it('fails by name when nobody listens', async () => {
    const server = createServer();
    await new Promise<void>((done) => server.listen(0, '127.0.0.1', done));
    const { port } = server.address() as AddressInfo;
    await new Promise((done) => server.close(done));
    await expect(judgeRequest(`http://127.0.0.1:${String(port)}`, 'GET', '/')).rejects.toThrow(
      /^GET \/: .*ECONNREFUSED/,
    );
  });

  it('carries the credentials of the address, and lines as lines', async () => {
    const seen: IncomingMessage['headers'][] = [];
    const server = createHttpServer((request, response) => {
      seen.push(request.headers);
      request.resume();
      response.end('plain');
    });
    await new Promise<void>((done) => server.listen(0, '127.0.0.1', done));
    const { port } = server.address() as AddressInfo;
    const url = `http://us%40er:pass@127.0.0.1:${String(port)}/`;
    const answer = await judgeRequest(url, 'POST', '/logs/_bulk?refresh', '{}\n');
    await judgeRequest(url, 'POST', '/logs/_search', {});
    server.closeAllConnections();
    await new Promise((done) => server.close(done));
    expect(answer).toMatchObject({ status: 200, text: 'plain', body: 'plain' });
    expect(seen).toMatchObject([
      {
        authorization: `Basic ${Buffer.from('us@er:pass').toString('base64')}`,
        'content-type': 'application/x-ndjson',
      },
      { 'content-type': 'application/json' },
    ]);
  });
});
