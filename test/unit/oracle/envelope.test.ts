import type { JsonValue } from '../../../plugins/kibana-clickhouse/common/json/json';
import { envelopeFault } from '../../oracle/envelope';

const envelope = {
  is_partial: false,
  is_running: false,
  start_time_in_millis: 1_700_000_000_000,
  expiration_time_in_millis: 1_700_000_060_000,
  response: { hits: {} },
};

describe('the envelope of an asynchronous search', () => {
  it.each([{}, { id: 'abc' }, { completion_time_in_millis: 1_700_000_000_001 }])(
    'is right with %j',
    (more) => {
      expect(envelopeFault({ ...envelope, ...more })).toBeUndefined();
    },
  );

  it.each<readonly [Readonly<Record<string, JsonValue>>]>([
    [{ is_running: true }],
    [{ is_partial: true }],
    [{ is_partial: 'false' }],
    [{ start_time_in_millis: '2023-11-14' }],
    [{ start_time_in_millis: 1_700_000_070_000 }],
    [{ expiration_time_in_millis: 1.5 }],
    [{ id: '' }],
    [{ id: 7 }],
    [{ response: null }],
  ])('is wrong with %j', (fault) => {
    expect(envelopeFault({ ...envelope, ...fault })).toContain('envelope');
  });

  it.each(Object.keys(envelope))('is wrong without %s', (name) => {
    const rest = Object.entries(envelope).filter(([key]) => key !== name);
    expect(envelopeFault(Object.fromEntries(rest))).toContain('envelope');
  });
});
