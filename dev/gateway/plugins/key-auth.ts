import type { JsonObject } from '../../../plugins/kibana-clickhouse/common/json/json';
import type { KeyCredential } from '../configuration';
import type { Exchange, Exit } from '../exchange';
import { errorExit } from '../proxy/answers';

/** The values of a query argument; undefined where the argument is not there. */
function queryValues(exchange: Exchange, name: string): readonly string[] {
  const values = new URLSearchParams(exchange.upstream.query ?? '').getAll(name);
  return values.filter((value) => value !== '');
}

function withoutArgument(query: string, name: string): string {
  const kept = query.split('&').filter((pair) => {
    const [argument = ''] = pair.split('=');
    return new URLSearchParams(`${argument}=`).keys().next().value !== name;
  });
  return kept.join('&');
}

function hide(exchange: Exchange, name: string): void {
  const { upstream } = exchange;
  exchange.headers.delete(name);
  if (upstream.query === undefined) return;
  const rest = withoutArgument(upstream.query, name);
  upstream.query = rest === '' ? undefined : rest;
}

function setConsumer(exchange: Exchange, credential: KeyCredential): void {
  const { consumer } = credential;
  exchange.credential = credential;
  exchange.consumer = consumer;
  const headers = {
    'X-Consumer-ID': consumer.id,
    'X-Consumer-Custom-ID': consumer.custom_id,
    'X-Consumer-Username': consumer.username,
    'X-Credential-Identifier': credential.id,
    'X-Anonymous-Consumer': undefined,
  };
  for (const [name, value] of Object.entries(headers)) {
    exchange.headers.delete(name);
    if (value !== undefined) exchange.headers.add(name, value);
  }
}

type FoundKey = { readonly name: string; readonly values: readonly string[] } | undefined;

function foundKey(exchange: Exchange, config: JsonObject): FoundKey {
  for (const name of config['key_names'] as readonly string[]) {
    const inHeader = config['key_in_header'] === true ? exchange.headers.all(name) : [];
    const inQuery = config['key_in_query'] === true ? queryValues(exchange, name) : [];
    const values = inHeader.length > 0 ? inHeader : inQuery;
    if (values.length > 0) return { name, values };
  }
  return undefined;
}

/**
 * Kong 3.9's key-auth: the key in a header or the query, header first; 401 without one, with two or
 * with one that is nobody's. Sets the X-Consumer-* headers, whatever the client had sent in them.
 */
export function checkKey(
  exchange: Exchange,
  config: JsonObject,
  keys: ReadonlyMap<string, KeyCredential>,
): Exit | undefined {
  if (config['run_on_preflight'] !== true && exchange.upstream.method === 'OPTIONS')
    return undefined;
  const refuse = (message: string): Exit => {
    const exit = errorExit(401, exchange.id, message);
    const realm = config['realm'];
    exit.headers.set(
      'WWW-Authenticate',
      typeof realm === 'string' ? `Key realm="${realm}"` : 'Key',
    );
    return exit;
  };
  const found = foundKey(exchange, config);
  if (found !== undefined && found.values.length > 1) return refuse('Duplicate API key found');
  const key = found?.values[0];
  if (found === undefined || key === undefined || key === '') {
    return refuse('No API key found in request');
  }
  const credential = keys.get(key);
  if (config['hide_credentials'] === true) hide(exchange, found.name);
  if (credential === undefined) return refuse('Unauthorized');
  setConsumer(exchange, credential);
  return undefined;
}
