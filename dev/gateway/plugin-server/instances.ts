import type { PluginUse } from '../configuration';
import type { Log } from '../log';
import { type Packed, type PluginServerRpc, RpcError } from './rpc';

/** One PDK call of a plugin: gives the value that goes back to it. What it throws ends the event. */
export type PdkCall = (method: string, args: readonly Packed[]) => Packed | Promise<Packed>;

/** StartInstance failed; Kong raises it in Lua and the client gets 500. */
export class StartInstanceError extends Error {
  override readonly name = 'StartInstanceError';
}

interface Instance {
  readonly sequence: number;
  readonly id: Promise<number>;
}

interface Step {
  readonly EventId: number;
  readonly Data: 'ret' | { readonly Method: string; readonly Args: readonly Packed[] };
}

const STEP_METHODS: Readonly<Record<string, string>> = {
  'kong.client.get_credential': 'StepCredential',
  'kong.client.get_consumer': 'StepConsumer',
  'kong.router.get_route': 'StepRoute',
  'kong.router.get_service': 'StepService',
  'kong.request.get_query': 'StepMultiMap',
  'kong.request.get_headers': 'StepMultiMap',
  'kong.response.get_headers': 'StepMultiMap',
};

/**
 * Instances of the plugin server's plugin, one per plugin configuration, and the events they handle:
 * Kong 3.9's life cycle (`plugin_servers/plugin.lua`, `rpc/mp_rpc.lua`) for one nginx worker.
 */
export class PluginInstances {
  readonly #rpc: PluginServerRpc;
  readonly #log: Log;
  readonly #running = new Map<string, Instance>();
  #sequence = 1;

  constructor(rpc: PluginServerRpc, log: Log) {
    this.#rpc = rpc;
    this.#log = log;
  }

  /** The configuration was replaced: each plugin gets a new instance at its next use. */
  renew(): void {
    this.#sequence += 1;
  }

  /**
   * Lets the instance of this configuration handle one phase, answering its PDK calls. As in Kong an
   * unreachable or silent plugin server is only logged: the request goes on. Throws StartInstanceError
   * and whatever a PDK call throws.
   */
  async handle(use: PluginUse, phase: string, call: PdkCall): Promise<void> {
    try {
      const id = await this.#instance(use);
      await this.#event(id, phase, call);
    } catch (error) {
      if (!(error instanceof RpcError)) throw error;
      if (!error.message.toLowerCase().includes('no plugin instance')) {
        this.#log.line('error', `${use.name}: ${error.message}`);
        return;
      }
      this.#log.line('warn', `${use.name}: ${error.message}`);
      // The plugin server was started again: none of its instances lives on.
      this.#running.clear();
      await this.handle(use, phase, call);
    }
  }

  async #event(id: number, phase: string, call: PdkCall): Promise<void> {
    let step = (await this.#rpc.call('HandleEvent', {
      InstanceId: id,
      EventName: phase,
    })) as unknown as Step;
    const { EventId } = step;
    while (step.Data !== 'ret') {
      const { Method, Args } = step.Data;
      const Data = (await call(Method, Args)) ?? null;
      const method = STEP_METHODS[Method] ?? 'Step';
      step = (await this.#rpc.call(method, { EventId, Data })) as unknown as Step;
    }
  }

  /** The id of the configuration's instance; requests that come while it starts wait for it. */
  #instance(use: PluginUse): Promise<number> {
    const present = this.#running.get(use.id);
    if (present?.sequence === this.#sequence) return present.id;
    const id = this.#start(use);
    this.#running.set(use.id, { sequence: this.#sequence, id });
    id.then(
      () => this.#closeReplaced(present),
      () => {
        if (this.#running.get(use.id)?.id === id) this.#running.delete(use.id);
      },
    );
    return id;
  }

  async #start(use: PluginUse): Promise<number> {
    const config = {
      ...use.config,
      ...use.scope,
      __key__: keyOf(use),
      __seq__: this.#sequence,
      __plugin_id: use.id,
      __ws_id: WORKSPACE_ID,
    };
    try {
      const started = await this.#rpc.call('StartInstance', {
        Name: use.name,
        Config: JSON.stringify(config),
      });
      return (started as { Id: number }).Id;
    } catch (error) {
      const reason = error instanceof Error ? error.message : String(error);
      this.#log.line('error', `starting instance: ${reason}`);
      throw new StartInstanceError(reason);
    }
  }

  async #closeReplaced(replaced: Instance | undefined): Promise<void> {
    if (replaced === undefined) return;
    try {
      await this.#rpc.call('CloseInstance', await replaced.id);
    } catch {
      // Kong does not look at the outcome either: the instance may be gone with its server.
    }
  }
}

const WORKSPACE_ID = '00000000-0000-5000-8000-000000000000';

/** Kong's cache key of a plugin: `plugins:NAME:ROUTE:SERVICE:CONSUMER::WORKSPACE`. */
function keyOf({ name, scope }: PluginUse): string {
  return `plugins:${name}:${scope.route_id ?? ''}:${scope.service_id ?? ''}:::${WORKSPACE_ID}`;
}
