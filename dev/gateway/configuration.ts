import type { JsonObject } from '../../plugins/kibana-clickhouse/common/json/json';

/** A Kong Service: where requests of its Routes go. Timeouts in ms. */
export interface Service {
  readonly id: string;
  readonly name?: string;
  readonly protocol: 'http' | 'https';
  readonly host: string;
  readonly port: number;
  readonly path?: string;
  readonly retries: number;
  readonly connect_timeout: number;
  readonly write_timeout: number;
  readonly read_timeout: number;
  readonly tls_verify?: boolean;
  readonly enabled: boolean;
}

/** One plugin as it runs on a Route: the configuration closest to the Route. */
export interface PluginUse {
  readonly id: string;
  readonly name: string;
  readonly config: JsonObject;
  /** Where it was configured; Kong adds the id of that entity to a plugin server's configuration. */
  readonly scope: { readonly route_id?: string; readonly service_id?: string };
}

/** A Kong Route with the plugins that run on it, in Kong's order of execution. */
export interface Route {
  readonly id: string;
  readonly name?: string;
  readonly service: Service;
  readonly protocols: readonly string[];
  readonly methods?: readonly string[];
  readonly hosts?: readonly string[];
  /** Plain prefixes and, with a leading `~`, regular expressions. */
  readonly paths?: readonly string[];
  readonly regex_priority: number;
  readonly strip_path: boolean;
  readonly preserve_host: boolean;
  readonly https_redirect_status_code: number;
  readonly plugins: readonly PluginUse[];
}

/** A Kong Consumer: who a credential stands for, and its groups. */
export interface Consumer {
  readonly id: string;
  readonly username?: string;
  readonly custom_id?: string;
  readonly groups: readonly string[];
}

/** One key of a Consumer. */
export interface KeyCredential {
  readonly id: string;
  readonly key: string;
  readonly consumer: Consumer;
}

/** What a kong.yml amounts to: checked, with defaults, references resolved. */
export interface GatewayConfiguration {
  readonly routes: readonly Route[];
  readonly keys: ReadonlyMap<string, KeyCredential>;
}
