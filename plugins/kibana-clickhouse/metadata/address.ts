/** One Elasticsearch address of `metadata_config.hosts`. */
export interface ElasticsearchAddress {
  /** `http://es:9200` */
  readonly origin: string;
  /** Path in front of every request, without a slash at its end: `''` or `/es/v1`. */
  readonly path: string;
}

/**
 * Reads `http://es:9200`, `https://es/prefix` or `es:9200` (http, port 9200 when none is named: the
 * same reading as for native pass-through). User and password in it are ignored: callers' requests
 * carry their own credentials. Undefined when it is no address.
 */
export function parseAddress(address: string): ElasticsearchAddress | undefined {
  const text = address.trim();
  const hasScheme = /^https?:\/\//i.test(text);
  const full = hasScheme ? text : `http://${text}`;
  if ((!hasScheme && text.includes('://')) || !URL.canParse(full)) return undefined;
  const url = new URL(full);
  // URL.port is empty for 80 too, so an explicit `es:80` is looked for in the text.
  const namesPort = /^(?:[^/?#]*@)?(?:\[[^\]]*\]|[^:/?#]*):\d+/.test(text);
  if (!hasScheme && !namesPort) url.port = '9200';
  return { origin: url.origin, path: url.pathname.replace(/\/+$/, '') };
}
