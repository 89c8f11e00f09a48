import type { PluginConfig } from '../../../../schema/plugin-config';

/** From the plugin server to its answer process. */
export interface ToAnswerProcess {
  readonly kind: 'configure';
  /** Hash of the configuration; sent before the first request that names it is handed over. */
  readonly runtime: string;
  readonly config: PluginConfig;
}

/** From the answer process to the plugin server. */
export type FromAnswerProcess =
  | { readonly kind: 'ready'; readonly port: number; readonly secret: string }
  | { readonly kind: 'configured'; readonly runtime: string };

/** Whether something that came over the channel is a message of the answer process. */
export function isFromAnswerProcess(message: unknown): message is FromAnswerProcess {
  if (typeof message !== 'object' || message === null || !('kind' in message)) return false;
  const { kind, port, secret, runtime } = message as Readonly<Record<string, unknown>>;
  if (kind === 'ready') return typeof port === 'number' && typeof secret === 'string';
  return kind === 'configured' && typeof runtime === 'string';
}
