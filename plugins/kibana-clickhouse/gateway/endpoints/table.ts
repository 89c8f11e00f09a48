import { CONFIG_UPDATES } from './config-updates';
import type { Endpoint, Method } from './definition';

type Handler = Endpoint['load'];

const search: Handler = async () => (await import('./search.js')).handler;
const asyncSearch: Handler = async () => (await import('./async-search.js')).handler;
const asyncSearchResult: Handler = async () => (await import('./async-search-result.js')).handler;
const asyncSearchStatus: Handler = async () => (await import('./async-search-status.js')).handler;
const msearch: Handler = async () => (await import('./msearch.js')).handler;
const fieldCaps: Handler = async () => (await import('./field-caps.js')).handler;
const resolveIndex: Handler = async () => (await import('./resolve-index.js')).handler;
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
