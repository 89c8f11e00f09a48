import { Readable } from 'node:stream';
import { commonParameters, requireKnownParameters } from '../../search/request/url-parameters';
import type { EndpointHandler } from './definition';

/** `GET /metrics`: what this answer process counted, in Prometheus' text format. */
export const handler: EndpointHandler = {
  async handle({ path, query }, { metrics }) {
    requireKnownParameters(path, query, commonParameters);
    const text = Buffer.from(await metrics.text());
    return {
      kind: 'raw',
      status: 200,
      headers: { 'content-type': metrics.contentType, 'content-length': String(text.length) },
      body: Readable.from([text]),
    };
  },
};
