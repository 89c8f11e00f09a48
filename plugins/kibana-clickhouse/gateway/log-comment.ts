import { placeInKibana } from '../metadata/monitor/opaque-id';
import type { GatewayRequest } from './endpoints/definition';

/**
 * What ClickHouse writes beside a statement into its query log (`log_comment`): the request's id, Kong's consumer, and where in
 * Kibana it comes from, as JSON.
 */
export const logComment = ({ id, consumer, headers }: GatewayRequest): string =>
  JSON.stringify({
    request: id,
    ...(consumer !== undefined && { consumer }),
    ...placeInKibana(headers.get('x-opaque-id') ?? ''),
  });
