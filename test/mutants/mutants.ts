/** One semantic of the product that is broken on purpose. */
export interface Mutant {
  /** What is wrong then. */
  readonly name: string;
  /** Below `plugins/kibana-clickhouse`. */
  readonly file: string;
  /** Stands once in the file. */
  readonly from: string;
  readonly to: string;
  /** Which scenarios must notice: a regular expression on their names. */
  readonly scenarios: string;
}

/** Each must turn a scenario red that is green without it. */
export const mutants: readonly Mutant[] = [
  {
    name: 'weeks start on Sunday',
    file: 'search/aggregations/bucket/date-rounding.ts',
    from: '  week: { ms: week, anchor: firstMonday },',
    to: '  week: { ms: week, anchor: firstMonday - day },',
    scenarios: 'date-histogram-calendar',
  },
  {
    name: 'lte rounds down',
    file: 'search/values/date-bound.ts',
    from: "read(bounds.lte, 'up')",
    to: "read(bounds.lte, 'down')",
    scenarios: 'queries/range-dates',
  },
  {
    name: 'gt rounds down',
    file: 'search/values/date-bound.ts',
    from: "read(bounds.gt, 'up')",
    to: "read(bounds.gt, 'down')",
    scenarios: 'queries/range-dates',
  },
  {
    name: 'must_not drops documents without the field',
    file: 'clickhouse/sql/compile.ts',
    from: '`(NOT ifNull(${writeExpr(term, write)}, false))`',
    to: '`(NOT ${writeExpr(term, write)})`',
    scenarios: 'queries/(bool|exists|term)',
  },
  {
    name: 'buckets of one count are ordered by descending key',
    file: 'search/aggregations/aggregation-order.ts',
    from: "[...order, { by: 'key', direction: 'ASC' }]",
    to: "[...order, { by: 'key', direction: 'DESC' }]",
    scenarios: 'aggregations/(terms|levels)',
  },
  {
    name: 'gaps between buckets stay empty',
    file: 'search/aggregations/bucket/date-histogram.ts',
    from: 'params.minDocCount === 0 ?',
    to: 'params.minDocCount < 0 ?',
    scenarios: 'aggregations/date-histogram',
  },
  {
    name: 'the time zone of a histogram is ignored',
    file: 'search/aggregations/bucket/date-histogram.ts',
    from: '    zone: parseZone(body, name),',
    to: '    zone: parseZone(body, name) && utc,',
    scenarios: 'aggregations/date-histogram',
  },
  {
    name: 'the time zone of a range is ignored',
    file: 'search/values/date-bound.ts',
    from: '    ...(zone && { zone }),',
    to: '    ...(zone && {}),',
    scenarios: 'queries/range-dates',
  },
  {
    name: '.keyword is searched as text',
    file: 'search/queries/equals.ts',
    from: "    case 'text':",
    to: "    case 'keyword':\n    case 'text':",
    scenarios: 'queries/terms?:',
  },
  {
    name: 'an empty bool matches nothing',
    file: 'search/queries/bool.ts',
    from: 'if (all.length === 0) return alwaysTrue;',
    to: 'if (all.length === 0) return alwaysFalse;',
    scenarios: 'queries/bool',
  },
  {
    name: 'minimum_should_match counts beside must_not alone',
    file: 'search/queries/bool.ts',
    from: 'if (isNegative) return 0;',
    to: 'if (isNegative && mustNot.length < 0) return 0;',
    scenarios: 'queries/bool',
  },
  {
    name: 'means are added without compensation',
    file: 'search/aggregations/metric/avg.ts',
    from: "overValues('sumKahanOrNull', values)",
    to: "overValues('sumOrNull', values)",
    scenarios: 'aggregations/avg',
  },
  {
    name: 'should clauses are optional without must and filter',
    file: 'search/queries/bool.ts',
    from: 'return should.length > 0 && must.length === 0 && filter.length === 0 ? 1 : 0;',
    to: 'return should.length < 0 && must.length === 0 && filter.length === 0 ? 1 : 0;',
    scenarios: 'queries/bool',
  },
  {
    name: 'the total stops one too early',
    file: 'search/hits/plan-total.ts',
    from: 'count > totalHits.limit ||',
    to: 'count >= totalHits.limit ||',
    scenarios: 'hits/total',
  },
  {
    name: 'the offset of buckets points the other way',
    file: 'search/aggregations/bucket/date-interval.ts',
    from: "return sign === '-' ? -ms : ms;",
    to: "return sign === '-' ? ms : -ms;",
    scenarios: 'aggregations/date-histogram',
  },
  {
    name: 'missing values stand first by default',
    file: 'search/request/sort.ts',
    from: "value === '_last') return { kind: 'last' };",
    to: "value === '_last') return { kind: 'first' };",
    scenarios: 'hits/sort',
  },
  {
    name: 'documents of other terms are not counted',
    file: 'search/aggregations/bucket/terms.ts',
    from: 'sum_other_doc_count: totalCount - shown,',
    to: 'sum_other_doc_count: totalCount - totalCount,',
    scenarios: 'aggregations/terms',
  },
  {
    name: 'excluded columns are shown in _source',
    file: 'search/request/source-filter.ts',
    from: '!excluded.some((matches) => matches(name));',
    to: '!excluded.some((matches) => matches(name) && false);',
    scenarios: 'hits/source',
  },
];
