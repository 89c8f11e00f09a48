import { join } from 'node:path';

/** One search engine that the harness can start: what Maven fetches and which class starts it. */
export interface Engine {
  readonly name: 'elasticsearch' | 'opensearch';
  /** What `GET /` must say; another version is not the judge that the scenarios were written for. */
  readonly version: string;
  readonly mainClass: string;
  /** Holds `pom.xml` and the Java sources under `java/`. */
  readonly directory: string;
  /** Environment variable that names a server to use in place of one of our own. */
  readonly variable: string;
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
