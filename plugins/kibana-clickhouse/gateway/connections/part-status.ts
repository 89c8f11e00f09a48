/** How one part fares, for `/health`. Holds no secret and no address. */
export interface PartStatus {
  readonly name:
    | 'clickhouse'
    | 'elasticsearch'
    | 'settings'
    | 'monitor'
    | 'black_list'
    | 'result_cache'
    | 'sampling'
    | 'time_fields'
    | 'time_limits';
  /**
   * `up`; `degraded`: requests are answered, but not as the settings say; `down`: requests that need
   * it fail; `none`: there is no such part.
   */
  readonly status: 'up' | 'degraded' | 'down' | 'none';
  /** What is wrong, in sentences for an operator. */
  readonly problems: readonly string[];
  /** More that an operator may want: the kind of store, when it was read. */
  readonly detail?: Readonly<Record<string, string | number>>;
}
