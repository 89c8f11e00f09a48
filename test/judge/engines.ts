import { join } from 'node:path';
import { admin, configureSecurity, password, type Security } from './secured-opensearch/configure';

/** One search engine that the harness can start: what Maven fetches and which class starts it. */
export interface Engine {
  readonly name: 'elasticsearch' | 'opensearch' | 'secured-opensearch';
  /** What `GET /` must say; another version is not the judge that the scenarios were written for. */
  readonly version: string;
  readonly mainClass: string;
  /** Holds `pom.xml` and the Java sources under `java/`. */
  readonly directory: string;
  /** Environment variable that names a server to use in place of one of our own. */
  readonly variable: string;
  /** Writes the folder `config` of a new home before the first start. */
  readonly configure?: (home: string) => void;
  /** `user:password` of who may do everything, where users are told apart. */
  readonly credentials?: string;
}

/**
 * Elasticsearch 7.17.29 without x-pack, with Painless and bucket expressions of 7.10.2. It decides what is right.
 */
export const elasticsearch: Engine = {
  name: 'elasticsearch',
  version: '7.17.29',
  mainClass: 'judge.ElasticsearchJudge',
  directory: join(__dirname, 'elasticsearch'),
  variable: 'ELASTICSEARCH_URL',
};

/** OpenSearch 2.19.1: second judge, and the other kind of store. */
export const opensearch: Engine = {
  name: 'opensearch',
  version: '2.19.1',
  mainClass: 'judge.OpenSearchJudge',
  directory: join(__dirname, 'opensearch'),
  variable: 'OPENSEARCH_URL',
};

/** OpenSearch 2.19.1 with its security plugin: the judge of who may read. */
export const securedOpenSearch = (security: Security): Engine => ({
  name: 'secured-opensearch',
  version: '2.19.1',
  mainClass: 'judge.SecuredOpenSearchJudge',
  directory: join(__dirname, 'secured-opensearch'),
  variable: 'SECURED_OPENSEARCH_URL',
  configure: (home) => {
    configureSecurity(home, security);
  },
  credentials: `${admin}:${password}`,
});
