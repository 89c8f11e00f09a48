import { contentTypeRefusal } from '../answer-process/content-type';
import { searchedPointInTime } from '../cursors/searched-point-in-time';
import { sendOn } from '../send-on';
import { submitSearch } from './async-search';
import type { EndpointHandler } from './definition';

/** `POST /_async_search`: ours where the body has a point in time of ours; all else is Elasticsearch's. */
export const handler: EndpointHandler = {
  async handle(request, runtime) {
    const index = searchedPointInTime(request, runtime);
    if (index === undefined) return sendOn(request, runtime);
    return (
      contentTypeRefusal(request, 'json') ??
      submitSearch({ index, isWithoutIndex: true }, request, runtime)
    );
  },
};
