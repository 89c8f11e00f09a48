import { highlightedFields } from '../../../plugins/kibana-clickhouse/search/highlight/highlighted-fields';
import { parseQuery } from '../../../plugins/kibana-clickhouse/search/queries/registry';
import { parseHighlight } from '../../../plugins/kibana-clickhouse/search/request/highlight';
import { table } from '../queries/clause-samples';

const highlighted = (fields: readonly string[]): ReturnType<typeof highlightedFields> => {
  const selectors = parseHighlight(
    {
      require_field_match: false,
      fields: Object.fromEntries(fields.map((name) => [name, {}])),
    },
    parseQuery,
  );
  const terms = Array.from({ length: 1000 }, (_, i) => `value ${String(i)}`);
  const query = parseQuery({
    bool: { should: [{ terms: { k: terms } }, { terms: { k: terms } }, { wildcard: { k: 'v*' } }] },
  });
  return highlightedFields(selectors, query, { table, now: 0, textSearch: 'tokens' });
};

describe('fields that show matches', () => {
  test('look listed terms up together, each once, and other tests each once', () => {
    const [field] = highlighted(['k']);
    expect(field?.tests.plain.size).toBe(1000);
    expect(field?.tests.others).toEqual([{ kind: 'wildcard', text: 'v*', folds: false }]);
  });

  test('share what the query was asked', () => {
    const keywords = highlighted(['*']).filter(({ kind }) => kind === 'keyword');
    expect(keywords.length).toBeGreaterThan(1);
    expect(new Set(keywords.map(({ tests }) => tests)).size).toBe(1);
  });
});
