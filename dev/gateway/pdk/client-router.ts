import type { Consumer, KeyCredential, Route, Service } from '../configuration';
import type { Packed } from '../plugin-server/rpc';
import type { PdkTable } from './function';

/** What Kong's tables say: a record's fields without those that only the gateway has. */
function without(record: object, names: readonly string[]): Readonly<Record<string, Packed>> {
  return Object.fromEntries(Object.entries(record).filter(([name]) => !names.includes(name)));
}

const service = (of: Service): Packed => without(of, []);

const route = (of: Route): Packed => ({
  ...without(of, ['plugins']),
  service: { id: of.service.id },
});

const consumer = (of: Consumer): Packed => without(of, ['groups']);

function credential({ id, key, consumer: of }: KeyCredential): Packed {
  return { id, key, consumer: { id: of.id } };
}

/** `kong.client`, `kong.router` and `kong.plugin`: who asks, and by which way the request came. */
export const clientAndRouterFunctions: PdkTable = {
  'kong.client.get_ip': ({ exchange }) => exchange.clientIp,
  'kong.client.get_forwarded_ip': ({ exchange }) => exchange.clientIp,
  'kong.client.get_port': ({ exchange }) => exchange.request.socket.remotePort ?? null,
  'kong.client.get_forwarded_port': ({ exchange }) => exchange.request.socket.remotePort ?? null,
  'kong.client.get_protocol': () => 'http',
  'kong.client.get_consumer': ({ exchange }) =>
    exchange.consumer === undefined ? null : consumer(exchange.consumer),
  'kong.client.get_credential': ({ exchange }) =>
    exchange.credential === undefined ? null : credential(exchange.credential),
  'kong.router.get_service': ({ exchange }) => service(exchange.match.route.service),
  'kong.router.get_route': ({ exchange }) => route(exchange.match.route),
  'kong.plugin.get_id': ({ exchange }) => exchange.plugin?.id ?? null,
};
