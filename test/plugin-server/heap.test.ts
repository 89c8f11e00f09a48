import { KongSide, type PdkAnswers } from './support/kong-side';
import { built, INSPECTION, startPluginServer } from './support/plugin-server';
import { standIn } from './support/stand-in';

/** `HEAP_EVENTS=100000` for the long run. */
const EVENTS = Number(process.env['HEAP_EVENTS'] ?? 20_000);
const CONNECTIONS = 8;
/** What one leaked event would cost alone: 1.4 kB. */
const ALLOWED_BYTES_PER_EVENT = 100;

interface Inspection {
  readonly events: number;
  readonly heapUsed: number;
  readonly rss: number;
}

const source = (main: string): string => `
require(${JSON.stringify(built('kong/cures.js'))}).cureKongPdk();
const { KongPlugin } = require(${JSON.stringify(built('kong/plugin.js'))});
const { AnswerProcess } = require(${JSON.stringify(built('kong/answer-process.js'))});
${INSPECTION}
const answers = new AnswerProcess({ main: ${JSON.stringify(main)}, log: () => undefined });
exports.Name = 'kibana-clickhouse';
exports.Plugin = class extends KongPlugin {
  constructor(config) { super(config, answers); }
};
`;

const answersFor = (uri: string): PdkAnswers => ({
  'kong.nginx.get_var': uri,
  'kong.router.get_service': { protocol: 'http' },
});

test(`after ${String(EVENTS)} requests no event is left and the heap is flat`, async () => {
  const child = standIn();
  const server = await startPluginServer({
    plugin: { source: source(child.main) },
    nodeOptions: ['--expose-gc'],
  });
  const connections = await Promise.all(
    Array.from({ length: CONNECTIONS }, () => KongSide.connect(server.socket)),
  );
  const [first] = connections;
  if (!first) throw new Error('no connection');
  const instance = await first.startInstance({
    role: 'proxy',
    route_id: 'r',
    settings: { proxy: { whiteIndexList: ['logs'] } },
  });
  const broken = await first.startInstance(null);
  /** Passed on, handed over and ended by `exit`, in turn. */
  const run = async (requests: number): Promise<Inspection> => {
    await Promise.all(
      connections.map(async (kong) => {
        for (let i = 0; i < requests / CONNECTIONS; i++)
          if (i % 50 === 0) await kong.access(broken);
          else await kong.access(instance, answersFor(i % 2 ? '/logs/_search' : '/other/_search'));
      }),
    );
    return (await first.call('Inspect')) as Inspection;
  };
  const before = await run(2_000);
  const after = await run(EVENTS);
  if (process.env['HEAP_EVENTS'] !== undefined)
    process.stderr.write(`${JSON.stringify({ EVENTS, before, after })}\n`);
  expect(after.events).toBe(0);
  expect((after.heapUsed - before.heapUsed) / EVENTS).toBeLessThan(ALLOWED_BYTES_PER_EVENT);
  for (const kong of connections) kong.close();
  await server.stop();
  child.remove();
}, 300_000);
