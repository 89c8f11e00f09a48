import { placeInKibana } from '../../../plugins/kibana-clickhouse/metadata/monitor/opaque-id';

const id = '8a1c2b4e-0000-4000-8000-000000000001';

it.each([
  [
    `${id};kibana:application:dashboards:edf84fe0;dashboard:Sales:edf84fe0;lens:lnsXY:panel-1`,
    { application: 'dashboards', dashboard: 'edf84fe0', panel: 'panel-1' },
  ],
  [
    `${id};kibana:application:dashboards:edf84fe0;lens:lnsXY:panel-1`,
    { application: 'dashboards', dashboard: 'edf84fe0', panel: 'panel-1' },
  ],
  [`${id};kibana:application:discover:new`, { application: 'discover' }],
  [
    `${id};kibana:application:visualize:abc;agg_based:histogram:a%20b`,
    { application: 'visualize', panel: 'a b' },
  ],
  [`unknownId;kibana:task%20manager:run%20x:1`, { panel: '1' }],
  [id, {}],
  ['', {}],
  ['a;b;c', {}],
  [`${id};kibana:application:%E0%A4%A:x`, { application: '%E0%A4%A' }],
])('reads %j', (opaqueId, place) => {
  expect(placeInKibana(opaqueId)).toEqual(place);
});
