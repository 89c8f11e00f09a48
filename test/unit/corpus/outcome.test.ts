import { judge, showsDocuments } from '../../corpus/outcome';

const answer = (status: number, body: object): { status: number; text: string } => ({
  status,
  text: JSON.stringify(body),
});
const error = (status: number, reason: string): { status: number; text: string } =>
  answer(status, { error: { root_cause: [{ type: 'x', reason }], type: 'x', reason }, status });
const found = answer(200, { hits: { total: { value: 1, relation: 'eq' }, hits: [] } });
const nothing = answer(200, { hits: { total: { value: 0, relation: 'eq' }, hits: [] } });
const refusal = error(400, '[kibana-clickhouse] unsupported: query [match]');

describe('the outcome of a replayed request', () => {
  it.each([
    ['equal', found, found],
    ['empty', nothing, nothing],
    ['different', nothing, found],
    ['different', found, nothing],
    ['refused', refusal, found],
    ['refused', refusal, undefined],
    ['refused', refusal, error(400, 'no')],
    ['different', error(400, 'unknown query [match]'), found],
    ['unjudged', found, error(400, 'no')],
    ['unjudged', found, undefined],
    ['unjudged', error(500, 'bad order'), error(500, 'bad order')],
    ['failed', error(503, 'gone'), found],
    ['failed', { status: 599, text: 'socket hang up' }, error(400, 'no')],
  ])('is %s', (outcome, ours, theirs) => {
    expect(judge(ours, theirs).outcome).toBe(outcome);
  });

  it('is told by every hit', () => {
    const hit = (n: number): object => ({ _id: String(n), fields: { n: [n] } });
    const theirs = (n: number): object => ({
      ...hit(n),
      _type: '_doc',
      fields: { n: [n], 'm.folded': [1] },
    });
    const ours = answer(200, { hits: { hits: [hit(1), hit(2)] } });
    expect(judge(ours, answer(200, { hits: { hits: [theirs(1), theirs(2)] } })).outcome).toBe(
      'equal',
    );
    const { outcome, reason } = judge(
      ours,
      answer(200, { hits: { hits: [theirs(1), theirs(3)] } }),
    );
    expect([outcome, reason]).toEqual(['different', 'hits.hits.1._id']);
    expect(judge(ours, answer(200, { hits: { hits: [theirs(1)] } })).outcome).toBe('different');
  });

  it('says why', () => {
    expect(judge(refusal, found).reason).toBe('[kibana-clickhouse] unsupported: query [match]');
    expect(judge(nothing, found).reason).toBe('hits.total.value');
    expect(judge({ status: 599, text: 'socket hang up' }, found).reason).toContain(
      'socket hang up',
    );
  });
});

describe('an answer that shows documents', () => {
  it.each([
    [{ hits: { total: 3, hits: [] } }],
    [{ hits: { hits: [{ _id: '1' }] } }],
    [
      {
        hits: { hits: [] },
        aggregations: { a: { buckets: [{ doc_count: 0 }, { doc_count: 2 }] } },
      },
    ],
    [{ hits: { hits: [] }, aggregations: { a: { buckets: { x: { doc_count: 2 } } } } }],
    [{ hits: { hits: [] }, aggregations: { a: { doc_count: 0, b: { doc_count: 1 } } } }],
    [{ fields: { host: {} } }],
    [{ indices: [{ name: 'logs' }], aliases: [] }],
  ])('%j', (body) => {
    expect(showsDocuments(body)).toBe(true);
  });

  it.each([
    [{ hits: { total: { value: 0, relation: 'eq' }, hits: [] } }],
    [{ hits: { hits: [] }, aggregations: { a: { buckets: [{ key: 1, doc_count: 0 }] } } }],
    [{ hits: { hits: [] }, aggregations: { a: { value: 0 } } }],
    [{ fields: {}, indices: [] }],
  ])('is not %j', (body) => {
    expect(showsDocuments(body)).toBe(false);
  });
});
