import type { OracleRequest } from '../../oracle/judge-request';
import type { FuzzRequest } from '../requests/context';

/** The request as it is sent to an index. */
export function oracleRequest({ parameters, body }: FuzzRequest, index: string): OracleRequest {
  const query = new URLSearchParams(parameters).toString();
  return { method: 'POST', path: `/${index}/_search${query === '' ? '' : `?${query}`}`, body };
}
