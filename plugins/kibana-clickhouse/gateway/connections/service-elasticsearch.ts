import { Elasticsearch } from '../../metadata/forward';
import { NamesElsewhere } from '../../metadata/names-elsewhere';

/** Elasticsearch behind Kong, for what does not name indexes in its path: nothing is kept there, and it decides nothing. */
export interface ServiceElasticsearch {
  readonly elasticsearch: Elasticsearch;
  readonly names: NamesElsewhere;
}

/** Services are few; more would be a plugin that every Route has. */
const MAX_SERVICES = 100;

/**
 * The Elasticsearch behind each Service of a configuration that names none itself, in failure mode drop-in. A Service whose host
 * is an Upstream of Kong has no address that others could reach: it answers 503.
 */
export class ServiceElasticsearches {
  readonly #known = new Map<string, ServiceElasticsearch>();

  /** Opens no connection. Undefined without an address. */
  at(address: string | undefined): ServiceElasticsearch | undefined {
    if (address === undefined) return undefined;
    const known = this.#known.get(address);
    if (known || this.#known.size >= MAX_SERVICES) return known;
    const elasticsearch = new Elasticsearch([address]);
    const made = { elasticsearch, names: new NamesElsewhere(elasticsearch) };
    this.#known.set(address, made);
    return made;
  }

  async close(): Promise<void> {
    const all = [...this.#known.values()];
    this.#known.clear();
    await Promise.all(all.map(({ elasticsearch }) => elasticsearch.close()));
  }
}
