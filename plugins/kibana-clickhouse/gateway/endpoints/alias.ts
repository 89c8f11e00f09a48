import { isPattern } from '../../search/request/name-pattern';
import { listParameter } from '../../search/request/coerce';
import { commonParameters, indicesParameters } from '../../search/request/url-parameters';
import { clusterParameters } from './mapping';
import { json } from './definition';
import { filtered, onIndexes } from './on-indexes';

const parameters: readonly string[] = [
  ...commonParameters,
  ...indicesParameters,
  ...clusterParameters,
];

/** `GET|HEAD /{index}/_alias/{name}`: a table has no aliases: a pattern finds none, a name is missing. */
export const handler = onIndexes(parameters, (_names, request) => {
  const asked = listParameter(request.params['name'] ?? '');
  const missing = asked.filter((name) => !isPattern(name) && name !== '_all').sort();
  if (missing.length === 0) return Promise.resolve(filtered(request, {}));
  const noun = missing.length === 1 ? 'alias' : 'aliases';
  const error = `${noun} [${missing.join(',')}] missing`;
  return Promise.resolve(json({ error, status: 404 }, 404));
});
