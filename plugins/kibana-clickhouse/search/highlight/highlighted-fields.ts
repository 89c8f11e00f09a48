import type { Field } from '../../clickhouse/catalog/table';
import type { QueryContext, QueryNode } from '../queries/definition';
import { isString } from '../queries/text/string-values';
import type { HighlightOptions, HighlightSelector } from '../request/highlight';
import { namePattern } from '../request/name-pattern';
import { type SoughtTests, testsAsker } from './sought-tests';
import type { TermKind } from './terms';

/** A field in which matches are shown, and what counts as one. */
export interface HighlightedField {
  readonly field: Field;
  readonly options: HighlightOptions;
  readonly kind: TermKind;
  readonly tests: SoughtTests;
}

/**
 * The text and keyword fields that `highlight` means and that the query looks something for; other types never show a match
 * (Elasticsearch 7.17 HighlightPhase, for patterns). Hits show it when it is handed to `planHits` or `planContents` as
 * `highlighted`; `query` is that of the search, also for hits of buckets.
 */
export function highlightedFields(
  selectors: readonly HighlightSelector[],
  query: QueryNode,
  context: QueryContext,
): readonly HighlightedField[] {
  const found = new Map<string, HighlightedField>();
  const ask = testsAsker(context);
  for (const { pattern, options } of selectors) {
    const asked = ask(options.query ?? query);
    const matches = namePattern(pattern);
    for (const field of context.table.fields.values()) {
      if (!isString(field) || field.refusal !== undefined || !matches(field.name)) continue;
      const kind = termKind(field, context);
      const tests = asked(options.requireFieldMatch ? field.name : undefined, kind);
      if (tests.plain.size + tests.others.length > 0)
        found.set(field.name, { field, options, tests, kind });
    }
  }
  return [...found.values()];
}

function termKind({ type }: Field, { textSearch }: QueryContext): TermKind {
  if (type === 'keyword') return 'keyword';
  return textSearch === 'tokens' ? 'words' : 'whole';
}
