import type { PluginConfig } from '../../../../schema/plugin-config';
import type { PartialSettings } from '../../../../schema/settings';

/** From the plugin server to its answer process. */
export type ToAnswerProcess =
  /** Sent before the first request that names the configuration is handed over. */
  | {
      readonly kind: 'configure';
      /** Hash of the configuration. */
      readonly runtime: string;
      readonly config: PluginConfig;
      /** The stored settings as an earlier answer process knew them: they hold until they are read. */
      readonly lastKnown?: PartialSettings;
    }
  /** No instance of the plugin has this configuration any more. */
  | { readonly kind: 'release'; readonly runtime: string }
  /** The plugin server decides by this list now. */
  | { readonly kind: 'taken'; readonly runtime: string; readonly serial: number };

/** Which names one configuration serves: sent when it is configured and after every change of its settings. */
export interface ServedMessage {
  readonly kind: 'served';
  readonly runtime: string;
  /** Counts up within one life of the answer process. */
  readonly serial: number;
  readonly names: readonly string[];
  /** What the administration endpoints have set; absent until the store was read. Secrets in clear: never logged. */
  readonly overlay?: PartialSettings;
}

/** From the answer process to the plugin server. */
export type FromAnswerProcess =
  | { readonly kind: 'ready'; readonly port: number; readonly secret: string }
  | { readonly kind: 'configured'; readonly runtime: string }
  | ServedMessage;

/** Whether something that came over the channel is a message of the answer process. */
export function isFromAnswerProcess(message: unknown): message is FromAnswerProcess {
  if (typeof message !== 'object' || message === null || !('kind' in message)) return false;
  const { kind, port, secret, runtime, serial, names } = message as Readonly<
    Record<string, unknown>
  >;
  if (kind === 'ready') return typeof port === 'number' && typeof secret === 'string';
  if (typeof runtime !== 'string') return false;
  return kind === 'served'
    ? typeof serial === 'number' && Array.isArray(names)
    : kind === 'configured';
}
