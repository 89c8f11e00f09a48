import type { GatewayRequest } from '../../../plugins/kibana-clickhouse/gateway/endpoints/definition';
import { logComment } from '../../../plugins/kibana-clickhouse/gateway/log-comment';

const request = (opaqueId?: string, consumer?: string): GatewayRequest =>
  ({
    id: 'r1',
    consumer,
    headers: new Map(opaqueId === undefined ? [] : [['x-opaque-id', opaqueId]]),
  }) as unknown as GatewayRequest;

test.each([
  ['nobody', request(), { request: 'r1' }],
  ['a consumer', request(undefined, 'kibana'), { request: 'r1', consumer: 'kibana' }],
  [
    'a panel of a dashboard',
    request('1;kibana:application:dashboards:d-1;dashboard:dashboards:d-1;lens:lnsXY:p-7', 'k'),
    { request: 'r1', consumer: 'k', application: 'dashboards', dashboard: 'd-1', panel: 'p-7' },
  ],
  ['an id that is not of Kibana', request('"; DROP'), { request: 'r1' }],
])('names %s', (_who, given, comment) => {
  expect(JSON.parse(logComment(given))).toEqual(comment);
});
