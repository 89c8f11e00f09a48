import type { Method } from '../endpoints/definition';

/** Names that follow an index in a path by which Elasticsearch changes it or its documents. */
export const changingPaths: ReadonlySet<string> = new Set([
  '_aliases',
  '_block',
  '_bulk',
  '_clone',
  '_close',
  '_create',
  '_delete_by_query',
  '_downsample',
  '_flush',
  '_forcemerge',
  '_freeze',
  '_open',
  '_refresh',
  '_rollover',
  '_shrink',
  '_split',
  '_unfreeze',
  '_update',
  '_update_by_query',
]);

interface ChangingMethods {
  /** A path of which other methods only look. */
  readonly template: string;
  readonly methods: readonly Method[];
}

/** Methods by which Elasticsearch changes what the gateway only shows. */
export const changingMethods: readonly ChangingMethods[] = [
  { template: '/{index}', methods: ['PUT', 'DELETE'] },
  { template: '/{index}/_doc', methods: ['POST'] },
  { template: '/{index}/_doc/{id}', methods: ['PUT', 'POST', 'DELETE'] },
  { template: '/{index}/_mapping', methods: ['PUT', 'POST'] },
  { template: '/{index}/_mappings', methods: ['PUT', 'POST'] },
  { template: '/{index}/_settings', methods: ['PUT'] },
  { template: '/{index}/_alias', methods: ['PUT'] },
  { template: '/{index}/_alias/{name}', methods: ['PUT', 'POST', 'DELETE'] },
];

/** Why some of what Elasticsearch reads is not answered, by the name that follows the index. */
export const whyRefused: Readonly<Record<string, string>> = {
  _eql: 'EQL is not translated to SQL',
  _explain: 'hits are not scored',
  _graph: 'graphs need the scores of terms',
  _knn_search: 'vectors are not searched',
  _msearch: 'search templates are not rendered',
  _mtermvectors: 'a table keeps no vectors of terms',
  _mvt: 'vector tiles are not drawn; a map layer can use clusters or documents in GeoJSON instead',
  _rank_eval: 'hits are not scored',
  _rollup_search: 'there are no rolled-up indexes',
  _search: 'search templates are not rendered',
  _termvectors: 'a table keeps no vectors of terms',
};
