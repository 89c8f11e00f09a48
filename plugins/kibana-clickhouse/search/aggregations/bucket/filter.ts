import { parseQuery } from '../../queries/registry';
import type { AggregationType } from '../definition';
import { singleBucket } from './single-bucket';

const name = 'filter';

/** `{"filter": {"term": {"level": "error"}}}`: the documents that match a query. */
export const filter: AggregationType = {
  name,
  parse(body) {
    const query = parseQuery(body);
    return singleBucket(name, query, (context) => query.toCondition(context));
  },
};
