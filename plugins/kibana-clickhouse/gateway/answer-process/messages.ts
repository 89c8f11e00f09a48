import type { PluginConfig } from '../../../../schema/plugin-config';

/** From the plugin server to its answer process. */
export type ToAnswerProcess = {
  readonly kind: 'configure';
  /** Hash of the configuration; sent before the first request that names it is handed over. */
  readonly runtime: string;
  readonly config: PluginConfig;
};

/** From the answer process to the plugin server. */
export type FromAnswerProcess =
  | { readonly kind: 'ready'; readonly port: number; readonly secret: string }
  | { readonly kind: 'configured'; readonly runtime: string };
