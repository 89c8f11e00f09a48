import type { Field } from '../../clickhouse/catalog/table';
import type { QueryContext, QueryNode } from '../queries/definition';
import type { SoughtTerm, TermTest } from '../queries/sought-term';
import { isString } from '../queries/text/string-values';
import type { HighlightOptions, HighlightSelector } from '../request/highlight';
import { namePattern } from '../request/name-pattern';
import type { TermKind } from './find-matches';

/** A field in which matches are shown, and what counts as one. */
export interface HighlightedField {
  readonly field: Field;
  readonly options: HighlightOptions;
  readonly kind: TermKind;
  readonly tests: readonly TermTest[];
}

/**
 * The text and keyword fields that `highlight` means and that the query looks something for; other types never show a match
 * (Elasticsearch 7.17 HighlightPhase, for patterns).
 */
export function highlightedFields(
  selectors: readonly HighlightSelector[],
  query: QueryNode,
  context: QueryContext,
): readonly HighlightedField[] {
  const found = new Map<string, HighlightedField>();
  for (const { pattern, options } of selectors) {
    const terms = soughtTerms(options.query ?? query, context);
    const matches = namePattern(pattern);
    for (const field of context.table.fields.values()) {
      if (!isString(field) || field.refusal !== undefined || !matches(field.name)) continue;
      const tests = terms
        .filter((term) => !options.requireFieldMatch || term.field === field.name)
        .map(({ test }) => test);
      if (tests.length > 0)
        found.set(field.name, { field, options, tests, kind: termKind(field, context) });
    }
  }
  return [...found.values()];
}

function soughtTerms(query: QueryNode, context: QueryContext): readonly SoughtTerm[] {
  const terms: SoughtTerm[] = [];
  query.toCondition({ ...context, seek: (term) => terms.push(term) });
  return terms;
}

function termKind({ type }: Field, { textSearch }: QueryContext): TermKind {
  if (type === 'keyword') return 'keyword';
  return textSearch === 'tokens' ? 'words' : 'whole';
}
