import { resourceNotFound } from '../../common/errors/catalogue';
import { commonParameters, requireKnownParameters } from '../../search/request/url-parameters';
import { json, type EndpointHandler } from './definition';

/** `DELETE /proxy/_black_list/{id}`: takes an entry away; 404 where there is none of that id. */
export const handler: EndpointHandler = {
  async handle({ path, query, params }, { blackList }) {
    requireKnownParameters(path, query, commonParameters);
    const id = params['id'] ?? '';
    if (await blackList.remove(id)) return json({ result: 'deleted', id });
    throw resourceNotFound(`the query blacklist has no entry [${id}]`);
  },
};
