import type { QueryContext, QueryNode, TimeSpan } from '../queries/definition';

/**
 * The part of time in which a query can match at all: what its ranges on a field, as far as they must
 * all hold, have in common. Both ends inclusive, epoch ms, absent where open.
 */
export function querySpan(query: QueryNode, field: string, context: QueryContext): TimeSpan {
  let span: TimeSpan = { field };
  for (const clause of [query, ...allRequired(query)]) {
    const own = clause.timeSpan?.(context);
    if (own?.field === field) span = intersect(span, own);
  }
  return span;
}

const allRequired = ({ required = [] }: QueryNode): readonly QueryNode[] =>
  required.flatMap((clause) => [clause, ...allRequired(clause)]);

function intersect(a: TimeSpan, b: TimeSpan): TimeSpan {
  const from = a.from === undefined ? b.from : Math.max(a.from, b.from ?? a.from);
  const to = a.to === undefined ? b.to : Math.min(a.to, b.to ?? a.to);
  return {
    field: a.field,
    ...(from !== undefined && { from }),
    ...(to !== undefined && { to }),
  };
}
