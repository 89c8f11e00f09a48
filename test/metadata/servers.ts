import { describeStarting, sharedJudgeUrl } from '../judge/describe-judged';
import { judgeRequest } from '../judge/request';
import { startOpenSearch } from '../judge/start';

/** A server of what the plugin keeps. */
export interface StoreServer {
  readonly url: string;
  close(): Promise<void>;
}

/** Without what the test before has left there: settings and blacklists hold for whoever finds them. */
async function sharedElasticsearch(): Promise<StoreServer> {
  const url = sharedJudgeUrl();
  await judgeRequest(url, 'DELETE', '/proxy-*?expand_wildcards=all');
  return { url, close: () => Promise.resolve() };
}

/** The kinds of servers in which the plugin keeps its indexes: Elasticsearch 7.17 and OpenSearch 2.19. */
export const storeServers: readonly (readonly [string, () => Promise<StoreServer>])[] = [
  ['Elasticsearch', sharedElasticsearch],
  ['OpenSearch', startOpenSearch],
];

/** A limit for the first start of a server on a machine, in ms. */
export const startLimitMs = 400_000;

/** `describe` where such servers can be had. */
export const describeStores: jest.Describe =
  sharedJudgeUrl() === '' ? describe.skip : describeStarting;
