import { join } from 'node:path';
import { storeUnavailable } from '../common/errors/catalogue';
import type { PluginConfig } from '../../../schema/plugin-config';
import { encodeHandover, HANDOVER_HEADER, type Handover } from '../gateway/handover';
import { decideRoute, type RouteDecision } from '../gateway/route';
import { AnswerProcess, AnswerProcessMissing } from './answer-process';
import { stderrLog, type Log } from './log';
import { readOwnConfig, type OwnConfig } from './own-config';
import type { KongConsumer, KongService, Pdk } from './pdk';
import { reasonOf, Refusal } from './refusal';
import type { RuntimeConfiguration } from './runtime-configuration';
import { Upstreams } from './upstreams';

/** The one answer process of this plugin server; it starts with the first request. */
const answerProcess = new AnswerProcess({
  main: join(__dirname, '../gateway/answer-process/main.js'),
  log: stderrLog('info'),
});

/** After this time a Service is read again, in ms: in DB mode it changes without a new instance. */
const SERVICE_TTL_MS = 10_000;

/** What is made of an instance's configuration. It opens nothing. */
interface Prepared extends OwnConfig {
  /** Shared with the instances that differ in role and failure mode only. */
  readonly shared: RuntimeConfiguration;
  readonly upstreams: Upstreams;
  readonly log: Log;
}

/** What the answer process is told beside the configuration. */
type Details = Pick<Handover, 'consumer' | 'refusal' | 'refusalStatus'>;

/**
 * The class that Kong's plugin server makes once per worker and configuration. `access()` decides
 * where a request goes and answers nothing: what is ours goes on to the answer process, with one
 * header that says which configuration it belongs to. Kong passes a request on when `access()` fails
 * (Kong/kong#8293), so everything here is caught and refused instead.
 */
export class KongPlugin {
  readonly #given: unknown;
  readonly #answers: AnswerProcess;
  #prepared: Prepared | undefined;
  #isClosed = false;
  #service: { readonly value: KongService | undefined; readonly readAt: number } | undefined;

  /** Never throws, whatever the configuration: Kong would answer 500 to every request of the route. */
  constructor(config: unknown, answers: AnswerProcess = answerProcess) {
    this.#given = config;
    this.#answers = answers;
    try {
      // Kong starts the next instance before it closes the last one: what is known goes over to it.
      this.#prepare();
    } catch {
      // The first request tries again, and says why.
    }
  }

  /** Kong's access phase. Never throws. */
  async access(pdk: Pdk): Promise<void> {
    try {
      await this.#direct(pdk);
    } catch (error) {
      await this.#refuse(pdk, error);
    }
  }

  /** Kong closes the instance: its configuration has changed. */
  close(): void {
    if (!this.#prepared || this.#isClosed) return;
    this.#isClosed = true;
    this.#prepared.upstreams.close();
    this.#answers.leave(this.#prepared.shared);
  }

  async #direct(pdk: Pdk): Promise<void> {
    const own = this.#prepare();
    const uri = await pdk.nginx.getVar('upstream_uri');
    if (typeof uri !== 'string') throw new Refusal('Kong says no path for this request');
    const service = await this.#serviceOf(pdk);
    const decision = await this.#decide(uri, prefixOf(service));
    if (decision.kind === 'ours') {
      const consumer = consumerOf(await pdk.client.getConsumer());
      await this.#handOver(pdk, service, { ...consumer, ...refusalOf(decision) });
    } else if (own.config.failure_mode === 'strict') await this.#sendOn(pdk, service);
  }

  /** By the settings as the answer process last told them; only the first requests wait for its word. */
  async #decide(uri: string, prefix: string): Promise<RouteDecision> {
    const { config, shared } = this.#prepare();
    if (config.role === 'admin') return { kind: 'ours' };
    this.#answers.use(shared);
    if (!shared.isSettled) await shared.settled();
    return decideRoute(uri, prefix, shared.served);
  }

  #prepare(): Prepared {
    if (this.#prepared) return this.#prepared;
    const own = readOwnConfig(this.#given);
    const { metadata_config, log_level } = own.config;
    this.#prepared = {
      ...own,
      shared: this.#answers.join(own.runtime, own.config),
      upstreams: new Upstreams(metadata_config?.hosts ?? []),
      log: stderrLog(log_level),
    };
    return this.#prepared;
  }

  /** A plugin that is bound to no route and no Service meets another Service with each request. */
  async #serviceOf(pdk: Pdk): Promise<KongService | undefined> {
    const known = this.#service;
    if (known && Date.now() - known.readAt < SERVICE_TTL_MS) return known.value;
    const value = (await pdk.router.getService()) ?? undefined;
    if (this.#prepare().hasFixedService) this.#service = { value, readAt: Date.now() };
    return value;
  }

  /** Makes the answer process the request's target. Only the last call changes where it goes. */
  async #handOver(pdk: Pdk, service: KongService | undefined, details: Details): Promise<void> {
    const { config, runtime, shared } = this.#prepare();
    const { port, secret } = await this.#answers.address(shared);
    const { role } = config;
    const prefix = prefixOf(service);
    const header = encodeHandover({
      ...{ secret, runtime, role, prefix },
      ...readTimeoutOf(service),
      ...elasticsearchBehind(config, service),
      ...details,
    });
    await pdk.service.request.setHeaders({ [HANDOVER_HEADER]: header });
    if (service?.protocol !== 'http') await pdk.service.request.setScheme('http');
    await pdk.service.setTarget('127.0.0.1', port);
  }

  /** Failure mode strict: the Service refuses connections, every target is named here. */
  async #sendOn(pdk: Pdk, service: KongService | undefined): Promise<void> {
    const upstream = await this.#prepare().upstreams.choose();
    if (!upstream)
      throw new Refusal(
        'failure_mode is strict, and metadata_config.hosts names no Elasticsearch to send the request to',
        { status: 502 },
      );
    if (upstream.scheme !== undefined && upstream.scheme !== service?.protocol)
      await pdk.service.request.setScheme(upstream.scheme);
    await pdk.service.setTarget(upstream.host, upstream.port);
  }

  /** Through the answer process where it is there, else at once. Never on to Elasticsearch. */
  async #refuse(pdk: Pdk, error: unknown): Promise<void> {
    const refusal = reasonOf(error);
    this.#log('error', 'a request is refused', { reason: describe(error) });
    try {
      if (error instanceof AnswerProcessMissing) throw error;
      const refusalStatus = error instanceof Refusal ? error.status : 503;
      await this.#handOver(pdk, this.#service?.value, { refusal, refusalStatus });
    } catch (failure) {
      if (failure !== error)
        this.#log('error', 'the refusal could not be handed over', { reason: describe(failure) });
      await exit(pdk, refusal);
    }
  }

  readonly #log: Log = (...line) => {
    (this.#prepared?.log ?? stderrLog('info'))(...line);
  };
}

/** The Service's path without its last slash; Kong says `/` for a url that ends with one. */
const prefixOf = (service: KongService | undefined): string =>
  (service?.path ?? '').replace(/\/+$/, '');

const readTimeoutOf = (service: KongService | undefined): Pick<Handover, 'readTimeoutMs'> =>
  typeof service?.read_timeout === 'number' ? { readTimeoutMs: service.read_timeout } : {};

/** In failure mode drop-in the Service is Elasticsearch, also where `metadata_config.hosts` names none. */
function elasticsearchBehind(
  { failure_mode, metadata_config, role }: PluginConfig,
  { protocol, host, port }: KongService = {},
): Pick<Handover, 'elasticsearch'> {
  const isNamed = (metadata_config?.hosts ?? []).length > 0;
  if (failure_mode !== 'drop-in' || role !== 'proxy' || isNamed) return {};
  if (protocol === undefined || host === undefined || port === undefined) return {};
  return { elasticsearch: `${protocol}://${host}:${String(port)}` };
}

/** Whom Kong has authenticated. A client's own `X-Consumer-*` headers say nothing. */
function consumerOf(given: KongConsumer | null | undefined): Pick<Handover, 'consumer'> {
  const consumer = [given?.username, given?.custom_id, given?.id].find(
    (name): name is string => typeof name === 'string' && name !== '',
  );
  return consumer === undefined ? {} : { consumer };
}

const refusalOf = ({ refusal }: RouteDecision & { readonly kind: 'ours' }): Details =>
  refusal === undefined ? {} : { refusal, refusalStatus: 400 };

const describe = (error: unknown): string =>
  error instanceof Error ? (error.stack ?? error.message) : String(error);

/** No PDK call may follow; a failure of this one has nobody left to tell. */
async function exit(pdk: Pdk, reason: string): Promise<void> {
  const error = storeUnavailable(reason);
  const body = Buffer.from(JSON.stringify(error.toBody()));
  await pdk.response
    .exit(error.status, body, {
      'content-type': 'application/json; charset=UTF-8',
      'x-elastic-product': 'Elasticsearch',
    })
    .catch(() => undefined);
}
