import { json, type EndpointHandler } from './definition';

/** `GET /health/live`: this process takes requests. It asks neither ClickHouse nor Elasticsearch. */
export const handler: EndpointHandler = {
  handle: () => Promise.resolve(json({ status: 'ok' })),
};
