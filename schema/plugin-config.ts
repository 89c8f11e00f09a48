/** What kong.yml says about the plugin, after Kong has filled in the defaults. */
export interface PluginConfig {
  readonly role: 'proxy' | 'admin';
  readonly failure_mode: 'strict' | 'drop-in';
  readonly metadata_config?: {
    readonly hosts?: readonly string[];
    readonly headers?: Readonly<Record<string, string>>;
  };
  readonly authorization?: 'elasticsearch' | 'none';
  readonly log_level: 'debug' | 'info' | 'warn' | 'error';
  readonly settings?: {
    readonly proxy?: {
      readonly whiteIndexList?: readonly string[] | null;
      readonly blackIndexList?: readonly string[] | null;
      readonly ck?: {
        readonly url?: string;
        readonly user?: string;
        readonly pass?: string;
        readonly defaultCkDatabase?: string;
      };
    };
  };
}
