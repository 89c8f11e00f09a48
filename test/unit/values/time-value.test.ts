import { parseTimeValue } from '../../../plugins/kibana-clickhouse/common/time/time-value';

describe('a time value', () => {
  it.each([
    ['30s', 30_000],
    ['1m', 60_000],
    [' 5 S ', 5_000],
    ['2D', 172_800_000],
    ['+5ms', 5],
    ['0001h', 3_600_000],
    ['1500micros', 1],
    ['999999nanos', 0],
    ['0', 0],
    ['-1', -1],
    ['-1h', -3_600_000],
  ])('%s is %i ms', (text, ms) => {
    expect(parseTimeValue(text, 'keep_alive')).toBe(ms);
  });

  const setting = 'failed to parse setting [keep_alive] with value';

  it.each([
    ['5', `${setting} [5] as a time value: unit is missing or unrecognized`],
    ['', `${setting} [] as a time value: unit is missing or unrecognized`],
    ['5M', `${setting} [5M] as a time value: unit is missing or unrecognized`],
    ['2w', `${setting} [2w] as a time value: unit is missing or unrecognized`],
    ['-5h', `${setting} [-5h] as a time value: negative durations are not supported`],
    ['1.5h', 'failed to parse [1.5h], fractional time values are not supported'],
    [
      '99999999999999999999s',
      'failed to parse [99999999999999999999s], fractional time values are not supported',
    ],
    ['1h30m', 'failed to parse [1h30m]'],
    ['h', 'failed to parse [h]'],
  ])('%j is none', (text, reason) => {
    expect(() => parseTimeValue(text, 'keep_alive')).toThrow(reason);
  });
});
