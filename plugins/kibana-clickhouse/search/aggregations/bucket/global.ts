import { parsingError } from '../../../common/errors/catalogue';
import type { AggregationType } from '../definition';
import { tokenType } from '../options';

const name = 'global';

/** `{"global": {}}`: all documents of the table, whatever the query says; only at the top. */
export const globalBucket: AggregationType = {
  name,
  parse(body, aggregation) {
    const [value] = Object.values(body);
    if (value !== undefined)
      throw parsingError(
        `Expected [FIELD_NAME] under a [START_OBJECT], but got a [${tokenType(value)}] in [${aggregation}]`,
      );
    return {
      family: 'global',
      type: name,
      params: {},
      assemble: ({ docCount, subs }) => ({ doc_count: docCount, ...subs }),
    };
  },
};
