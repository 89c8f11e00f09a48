import { resolveDateMath } from '../../../plugins/kibana-clickhouse/gateway/date-math-name';
import { servedIndexes } from '../../../plugins/kibana-clickhouse/gateway/index-expression';
import { indicesOptions } from '../../../plugins/kibana-clickhouse/gateway/indices-options';
import { readNames } from '../../../plugins/kibana-clickhouse/gateway/named-indexes';

const now = Date.UTC(2024, 2, 22, 23, 30);

test.each([
  ['logs', 'logs'],
  ['<logs>', 'logs'],
  ['<logs-{now/d}>', 'logs-2024.03.22'],
  ['<logs-{now/M}>', 'logs-2024.03.01'],
  ['<logs-{now/M{yyyy.MM}}>', 'logs-2024.03'],
  ['<logs-{now/d-1d{yyyy.MM.dd}}-x>', 'logs-2024.03.21-x'],
  ['<logs-{now/d{yyyy.MM.dd|+12:00}}>', 'logs-2024.03.23'],
  ['<{now/d{dd}}-{now/y{yyyy}}>', '22-2024'],
  ['<elastic\\{ON\\}-{now/M}>', 'elastic{ON}-2024.03.01'],
])('%s is %s', (name, expected) => {
  expect(resolveDateMath(name, now)).toBe(expected);
});

test.each([
  ['<logs-{now/x}>', 'unit [x] not supported for date math [/x]'],
  ['<logs-{now/d>', 'date math placeholder is open ended'],
  ['<logs-now}>', 'invalid character'],
  ['<logs-{2024/d}>', 'missing date'],
  ['<logs-{now/d{}}>', 'missing date format'],
  ['<logs-{now/d{yyyy|Nowhere}}>', 'unknown time zone [Nowhere]'],
])('%s is refused: %s', (name, reason) => {
  expect(() => resolveDateMath(name, now)).toThrow(reason);
});

test('options of an expression', () => {
  const options = (query: string) => indicesOptions(new Map(new URLSearchParams(query)));
  expect(options('')).toEqual({
    ignoreUnavailable: false,
    allowNoIndices: true,
    expandsOpen: true,
    expandsNothing: false,
  });
  expect(options('expand_wildcards=closed')).toMatchObject({ expandsOpen: false });
  expect(options('expand_wildcards=open,none')).toMatchObject({
    expandsOpen: false,
    expandsNothing: true,
  });
  expect(options('expand_wildcards=all&ignore_unavailable&allow_no_indices=false')).toMatchObject({
    expandsOpen: true,
    ignoreUnavailable: true,
    allowNoIndices: false,
  });
  expect(() => options('expand_wildcards=some')).toThrow('No valid expand wildcard value [some]');
});

test('what an expression names here', () => {
  const served = servedIndexes({ whiteIndexList: ['logs', 'logs-2024.03.22', 'other'] });
  const names = (expression: string, query = '') => {
    const read = readNames(expression, served, { query: new Map(new URLSearchParams(query)), now });
    return read && [read.plain, read.matched];
  };
  expect(names('logs')).toEqual([['logs'], []]);
  expect(names('nowhere')).toBeUndefined();
  expect(names('*')).toBeUndefined();
  expect(names('cluster:logs')).toBeUndefined();
  expect(names('lo*,other,nowhere')).toEqual([['other'], ['logs', 'logs-2024.03.22']]);
  expect(names('lo*,-logs')).toEqual([[], ['logs-2024.03.22']]);
  expect(names('<logs-{now/d}>')).toEqual([['logs-2024.03.22'], []]);
  expect(names('<logs-{now/d+1d}>')).toBeUndefined();
  expect(names('lo*', 'expand_wildcards=none')).toBeUndefined();
  expect(names('lo*,other', 'expand_wildcards=closed')).toEqual([['other'], []]);
});
