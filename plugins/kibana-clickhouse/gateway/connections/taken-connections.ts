import type { ClickHouseConnection } from './clickhouse-connection';
import type { ConnectionLease, Followed } from './followed-connection';
import type { MetadataConnection } from './metadata-cluster';

/** The connections of one configuration. */
export interface Connections {
  readonly clickHouse: Followed<ClickHouseConnection>;
  /** Undefined in it: there is no metadata cluster. */
  readonly metadata: Followed<MetadataConnection | undefined>;
}

/** The connections of one request: each is taken when it is first used, and then stays the same. */
export class TakenConnections {
  readonly #connections: Connections;
  #clickHouse: ConnectionLease<ClickHouseConnection> | undefined;
  #metadata: ConnectionLease<MetadataConnection | undefined> | undefined;

  constructor(connections: Connections) {
    this.#connections = connections;
  }

  /** Throws a 500 that names the setting when it cannot be opened. */
  get clickHouse(): ClickHouseConnection {
    this.#clickHouse ??= this.#connections.clickHouse.take();
    return this.#clickHouse.connection;
  }

  /** Throws a 500 that names the setting when it cannot be opened. */
  get metadata(): MetadataConnection | undefined {
    this.#metadata ??= this.#connections.metadata.take();
    return this.#metadata.connection;
  }

  /** The request has ended. */
  release(): void {
    this.#clickHouse?.release();
    this.#metadata?.release();
  }
}
