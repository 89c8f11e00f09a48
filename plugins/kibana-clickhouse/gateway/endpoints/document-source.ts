import { resourceNotFound, validationError } from '../../common/errors/catalogue';
import type { EndpointHandler } from './definition';
import { onDocument, textAnswer } from './document';
import { checkVersion } from '../documents/source-options';

/** `GET|HEAD /{index}/_source/{id}`: the document itself, without what stands around it. */
export const handler: EndpointHandler = {
  handle: (request, runtime) =>
    onDocument(request, runtime, ({ index, id, found }) => {
      if (request.query.get('_source') === 'false')
        throw validationError(['fetching source can not be disabled']);
      if (found?.source === undefined)
        throw resourceNotFound(`Document not found [${index}]/[${id}]`);
      checkVersion(request.query, index, id);
      return textAnswer(request, found.source, 200);
    }),
};
