import type { QueryContext, QueryNode } from '../queries/definition';
import type { TermTest } from '../queries/sought-term';
import { lowerCase } from '../queries/text/analyze';
import type { TermKind } from './terms';

/** What counts as a match among the terms of a field, each test once. */
export interface SoughtTests {
  /** Terms that are meant exactly, as `comparable` spells them: there may be tens of thousands. */
  readonly plain: ReadonlySet<string>;
  readonly others: readonly TermTest[];
}

/** What a query looks for in fields of a kind: in the field of that name, or (undefined) anywhere. */
export type AskedTests = (field: string | undefined, kind: TermKind) => SoughtTests;

/** Finds out what queries look for; each is asked once, however many fields show it. */
export function testsAsker(context: QueryContext): (query: QueryNode) => AskedTests {
  const asked = new Map<QueryNode, AskedTests>();
  return (query) => {
    const known = asked.get(query) ?? askQuery(query, context);
    asked.set(query, known);
    return known;
  };
}

function askQuery(query: QueryNode, context: QueryContext): AskedTests {
  const found = new Map<string | undefined, Map<string, TermTest>>();
  query.toCondition({
    ...context,
    seek: ({ field, test }) => {
      const key = JSON.stringify(test);
      for (const place of [field, undefined])
        found.set(place, (found.get(place) ?? new Map<string, TermTest>()).set(key, test));
    },
  });
  const sorted = new Map<string, SoughtTests>();
  return (field, kind) => {
    const key = JSON.stringify([kind, field]);
    const known = sorted.get(key) ?? sortedTests([...(found.get(field)?.values() ?? [])], kind);
    sorted.set(key, known);
    return known;
  };
}

function sortedTests(tests: readonly TermTest[], kind: TermKind): SoughtTests {
  const plain = new Set<string>();
  const others: TermTest[] = [];
  for (const test of tests) {
    const term = plainTerm(test, kind);
    if (term === undefined) others.push(test);
    else plain.add(term);
  }
  return { plain, others };
}

function plainTerm(test: TermTest, kind: TermKind): string | undefined {
  if (test.kind === 'equal' && !test.folds) return comparable(test.text, kind);
  if (test.kind !== 'run' || kind === 'whole' || test.lastIsPrefix) return undefined;
  return test.words.length === 1 ? test.words[0] : undefined;
}

/** A term as it is compared: whole values of a text whatever the case. */
export const comparable = (term: string, kind: TermKind): string =>
  kind === 'whole' ? lowerCase(term) : term;
