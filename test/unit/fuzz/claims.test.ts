import { aggregationTypes } from '../../../plugins/kibana-clickhouse/search/aggregations/registry';
import { queryClauses } from '../../../plugins/kibana-clickhouse/search/queries/registry';
import { byScenariosAlone, claims } from '../../fuzz/claims';

const registered = [
  ...queryClauses.map(({ name }) => `query.${name}`),
  ...[...aggregationTypes.keys()].map((name) => `aggregation.${name}`),
];

test.each(registered)('%s is claimed for random searches, or left to scenarios by name', (name) => {
  expect([...claims, ...byScenariosAlone]).toContain(name);
});

test('nothing is claimed twice', () => {
  expect(claims.filter((claim, i) => claims.indexOf(claim) !== i)).toEqual([]);
  expect(byScenariosAlone.filter((name) => claims.includes(name))).toEqual([]);
});

test('a claimed clause or aggregation is registered', () => {
  const names = claims.filter((claim) => /^(query|aggregation)\.[^.]+$/.test(claim));
  expect(names.filter((name) => name !== 'aggregation.meta')).toEqual(
    expect.arrayContaining(['query.bool', 'aggregation.terms']),
  );
  expect(names.filter((name) => name !== 'aggregation.meta' && !registered.includes(name))).toEqual(
    [],
  );
});
