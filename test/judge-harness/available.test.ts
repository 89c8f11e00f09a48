import { judgeDecision } from '../judge/available';

const complete = (): undefined => undefined;
const withoutMaven = (): string => 'Maven (mvn) is not installed';

describe('the decision about the judge', () => {
  it('starts a judge where Java and Maven are', () => {
    expect(judgeDecision({}, complete)).toEqual({ action: 'start' });
    expect(judgeDecision({ CI: 'true' }, complete)).toEqual({ action: 'start' });
  });

  it('uses the server that the environment names, whatever is installed', () => {
    const env = { ELASTICSEARCH_URL: 'http://127.0.0.1:9200', CI: 'true' };
    expect(judgeDecision(env, withoutMaven)).toEqual({
      action: 'use',
      url: 'http://127.0.0.1:9200',
    });
  });

  it.each([{}, { CI: '' }, { CI: 'false' }, { CI: '0' }, { ELASTICSEARCH_URL: '' }])(
    'skips with a line that says what is missing, with %j',
    (env) => {
      expect(judgeDecision(env, withoutMaven)).toEqual({
        action: 'skip',
        reason: 'Skipped: comparison with a real Elasticsearch (Maven (mvn) is not installed)',
      });
    },
  );

  it.each(['true', '1'])('fails with CI=%s', (CI) => {
    expect(judgeDecision({ CI }, withoutMaven)).toEqual({
      action: 'fail',
      reason:
        'The comparison with a real Elasticsearch must run here, but Maven (mvn) is not installed',
    });
  });
});
