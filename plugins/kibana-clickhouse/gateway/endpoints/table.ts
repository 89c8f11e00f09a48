import { CONFIG_UPDATES } from './config-updates';
import type { Endpoint, Method } from './definition';

type Handler = Endpoint['load'];

const search: Handler = async () => (await import('./search.js')).handler;
const asyncSearch: Handler = async () => (await import('./async-search.js')).handler;
const asyncSearchResult: Handler = async () => (await import('./async-search-result.js')).handler;
const asyncSearchStatus: Handler = async () => (await import('./async-search-status.js')).handler;
const searchWithoutIndex: Handler = async () => (await import('./search-without-index.js')).handler;
const asyncSearchWithoutIndex: Handler = async () =>
  (await import('./async-search-without-index.js')).handler;
const scroll: Handler = async () => (await import('./scroll.js')).handler;
const pointInTime: Handler = async () => (await import('./point-in-time.js')).handler;
const openSearchPointInTime: Handler = async () =>
  (await import('./point-in-time.js')).openSearchHandler;
const closePointInTime: Handler = async () => (await import('./close-point-in-time.js')).handler;
const closeOpenSearchPointInTime: Handler = async () =>
  (await import('./close-point-in-time.js')).openSearchHandler;
const msearch: Handler = async () => (await import('./msearch.js')).handler;
const fieldCaps: Handler = async () => (await import('./field-caps.js')).handler;
const resolveIndex: Handler = async () => (await import('./resolve-index.js')).handler;
const count: Handler = async () => (await import('./count.js')).handler;
const document: Handler = async () => (await import('./document.js')).handler;
const documentSource: Handler = async () => (await import('./document-source.js')).handler;
const mget: Handler = async () => (await import('./mget.js')).handler;
const mapping: Handler = async () => (await import('./mapping.js')).handler;
const fieldMapping: Handler = async () => (await import('./field-mapping.js')).handler;
const indexSettings: Handler = async () => (await import('./settings.js')).handler;
const aliasList: Handler = async () => (await import('./alias-list.js')).handler;
const alias: Handler = async () => (await import('./alias.js')).handler;
const getIndex: Handler = async () => (await import('./get-index.js')).handler;
const stats: Handler = async () => (await import('./stats.js')).handler;
const catIndices: Handler = async () => (await import('./cat-indices.js')).handler;
const catCount: Handler = async () => (await import('./cat-count.js')).handler;
const searchShards: Handler = async () => (await import('./search-shards.js')).handler;
const validateQuery: Handler = async () => (await import('./validate-query.js')).handler;
const termsEnum: Handler = async () => (await import('./terms-enum.js')).handler;
const languageQuery: Handler = async () => (await import('./language-query.js')).handler;
const healthLive: Handler = async () => (await import('./health-live.js')).handler;
const health: Handler = async () => (await import('./health.js')).handler;
const metrics: Handler = async () => (await import('./metrics.js')).handler;
const check: Handler = async () => (await import('./check.js')).handler;
const configAll: Handler = async () => (await import('./config-all.js')).handler;
const blackList: Handler = async () => (await import('./black-list.js')).handler;
const blackListEntry: Handler = async () => (await import('./black-list-entry.js')).handler;
const translate: Handler = async () => (await import('./translate.js')).handler;
const configReplace: Handler = async () => (await import('./config-replace.js')).handler;

const READ: readonly Method[] = ['GET', 'POST'];
const LOOK: readonly Method[] = ['GET', 'HEAD'];
const GET: readonly Method[] = ['GET'];

/** What a UI asks of an index besides searches: name, methods, path and handler. */
const OF_INDEXES: readonly (readonly [string, readonly Method[], string, Handler])[] = [
  ['count', READ, '/{index}/_count', count],
  ['terms-enum', READ, '/{index}/_terms_enum', termsEnum],
  ['document', LOOK, '/{index}/_doc/{id}', document],
  ['document-source', LOOK, '/{index}/_source/{id}', documentSource],
  ['mget', READ, '/{index}/_mget', mget],
  ['mapping', GET, '/{index}/_mapping', mapping],
  ['mapping', GET, '/{index}/_mappings', mapping],
  ['field-mapping', GET, '/{index}/_mapping/field/{fields}', fieldMapping],
  ['settings', GET, '/{index}/_settings', indexSettings],
  ['settings', GET, '/{index}/_settings/{name}', indexSettings],
  ['alias', LOOK, '/{index}/_alias/{name}', alias],
  ['get-index', LOOK, '/{index}', getIndex],
  ['stats', GET, '/{index}/_stats', stats],
  ['stats', GET, '/{index}/_stats/{metric}', stats],
  ['search-shards', READ, '/{index}/_search_shards', searchShards],
  ['point-in-time', ['POST'], '/{index}/_pit', pointInTime],
  ['point-in-time', ['POST'], '/{index}/_search/point_in_time', openSearchPointInTime],
  ['validate-query', READ, '/{index}/_validate/query', validateQuery],
  ['cat-count', GET, '/_cat/count/{index}', catCount],
];

/** Searches whose index stands in an id of the body, and what gives and ends such ids. */
const BY_ID: readonly (readonly [string, readonly Method[], string, Handler])[] = [
  ['search-without-index', READ, '/_search', searchWithoutIndex],
  ['async-search-without-index', ['POST'], '/_async_search', asyncSearchWithoutIndex],
  ['scroll', ['GET', 'POST', 'DELETE'], '/_search/scroll', scroll],
  ['close-point-in-time', ['DELETE'], '/_pit', closePointInTime],
  ['close-point-in-time', ['DELETE'], '/_search/point_in_time', closeOpenSearchPointInTime],
];

/** Queries whose text names the indexes: those of ours are refused. */
const LANGUAGES: readonly string[] = ['/_query', '/_query/async', '/_sql', '/_sql/translate'];

/** Lists of the indexes of both sides. */
const LISTS: readonly (readonly [string, readonly Method[], string, Handler])[] = [
  ['alias-list', LOOK, '/_alias', aliasList],
  ['alias-list', LOOK, '/{index}/_alias', aliasList],
  ['cat-indices', GET, '/_cat/indices', catIndices],
  ['cat-indices', GET, '/_cat/indices/{index}', catIndices],
];

/**
 * Every path that the gateway answers. One table for both sides: `access()` decides by it which
 * requests are handed over, the answer process finds the handler in it.
 */
export const ENDPOINTS: readonly Endpoint[] = [
  {
    name: 'search',
    role: 'proxy',
    methods: READ,
    path: '/{index}/_search',
    index: 'path',
    load: search,
  },
  {
    name: 'async-search',
    role: 'proxy',
    methods: ['POST'],
    path: '/{index}/_async_search',
    index: 'path',
    load: asyncSearch,
  },
  {
    name: 'async-search-result',
    role: 'proxy',
    methods: ['GET', 'DELETE'],
    path: '/_async_search/{id}',
    index: 'id',
    load: asyncSearchResult,
  },
  {
    name: 'async-search-status',
    role: 'proxy',
    methods: ['GET'],
    path: '/_async_search/status/{id}',
    index: 'id',
    load: asyncSearchStatus,
  },
  {
    name: 'msearch',
    role: 'proxy',
    methods: READ,
    path: '/_msearch',
    index: 'body',
    load: msearch,
  },
  {
    name: 'msearch',
    role: 'proxy',
    methods: READ,
    path: '/{index}/_msearch',
    index: 'body',
    load: msearch,
  },
  {
    name: 'field-caps',
    role: 'proxy',
    methods: READ,
    path: '/{index}/_field_caps',
    index: 'path',
    load: fieldCaps,
  },
  {
    name: 'resolve-index',
    role: 'proxy',
    methods: ['GET'],
    path: '/_resolve/index/{index}',
    index: 'list',
    load: resolveIndex,
  },
  ...OF_INDEXES.map(([name, methods, path, load]): Endpoint => ({
    ...{ name, role: 'proxy', methods, path, index: 'path', load },
  })),
  ...LISTS.map(([name, methods, path, load]): Endpoint => ({
    ...{ name, role: 'proxy', methods, path, index: 'list', load },
  })),
  ...BY_ID.map(([name, methods, path, load]): Endpoint => ({
    ...{ name, role: 'proxy', methods, path, index: 'body', load },
  })),
  ...LANGUAGES.map((path): Endpoint => ({
    name: 'language-query',
    role: 'proxy',
    methods: path.startsWith('/_sql') ? READ : ['POST'],
    path,
    index: 'body',
    refuses: true,
    load: languageQuery,
  })),
  {
    name: 'health-live',
    role: 'admin',
    methods: ['GET'],
    path: '/health/live',
    index: 'none',
    load: healthLive,
  },
  {
    name: 'health',
    role: 'admin',
    methods: ['GET'],
    path: '/health',
    index: 'none',
    load: health,
  },
  {
    name: 'metrics',
    role: 'admin',
    methods: ['GET'],
    path: '/metrics',
    index: 'none',
    load: metrics,
  },
  {
    name: 'check',
    role: 'admin',
    methods: ['GET'],
    path: '/check/{index}',
    index: 'none',
    load: check,
  },
  {
    name: 'config-all',
    role: 'admin',
    methods: ['GET'],
    path: '/config/all',
    index: 'none',
    load: configAll,
  },
  {
    name: 'config-replace',
    role: 'admin',
    methods: ['POST'],
    path: '/config/all',
    index: 'none',
    load: configReplace,
  },
  ...CONFIG_UPDATES.map((update): Endpoint => ({
    name: 'config-update',
    role: 'admin',
    methods: ['POST'],
    path: update.path,
    index: 'none',
    load: async () => (await import('./config-update.js')).configUpdate(update),
  })),
  {
    name: 'black-list',
    role: 'admin',
    methods: READ,
    path: '/proxy/_black_list',
    index: 'none',
    load: blackList,
  },
  {
    name: 'black-list-entry',
    role: 'admin',
    methods: ['DELETE'],
    path: '/proxy/_black_list/{id}',
    index: 'none',
    load: blackListEntry,
  },
  {
    name: 'translate',
    role: 'admin',
    methods: ['POST'],
    path: '/proxy/_translate',
    index: 'none',
    load: translate,
  },
];
