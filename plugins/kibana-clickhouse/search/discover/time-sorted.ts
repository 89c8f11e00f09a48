import type { Field, Table } from '../../clickhouse/catalog/table';
import type { TimeSpan } from '../queries/definition';
import type { SplitCondition } from '../queries/split-time-range';
import type { SearchRequest, SortKey, SortOrder } from '../request/search-request';

/** A search for the first or the last hits of a time range. */
export interface TimeSorted {
  /** The date field that hits are sorted by first; a range that must hold leaves out documents without a value. */
  readonly field: Field;
  readonly order: SortOrder;
  /** What the range leaves of time, rounded where it is. */
  readonly span: TimeSpan;
  /** The page that is asked for, of at least one hit. */
  readonly from: number;
  readonly size: number;
}

/**
 * How a search looks for hits by time; undefined for one that asks for none, sorts by something else first, or has no time
 * range on that field, shows only a part of what matches, or is not to be trimmed. Keys that order nothing (scores, which are all equal, and fields that the table
 * does not have) may stand before it.
 */
export function timeSorted(
  page: TimePage,
  { table, trim }: { readonly table: Table; readonly trim?: 'off' },
  { timeSpan, span }: Pick<SplitCondition, 'span' | 'timeSpan'>,
): TimeSorted | undefined {
  if (trim === 'off' || !isFromTheEnd(page)) return undefined;
  const { sort, from, size } = page;
  const first = sort.find((key) => orders(key, table));
  if (first?.kind !== 'field') return undefined;
  const field = table.field(first.field);
  if (field?.time === undefined || field.multiValued || field.name !== timeSpan?.field)
    return undefined;
  if (timeSpan.from === undefined && timeSpan.to === undefined) return undefined;
  return { field, order: first.order, span: span(field.name), from, size };
}

type TimePage = Pick<SearchRequest, 'from' | 'postFilter' | 'searchAfter' | 'size' | 'sort'>;

/** Whether hits are asked for, and those that match are counted from the sorted end on as the page is. */
const isFromTheEnd = ({ size, searchAfter, postFilter }: TimePage): boolean =>
  size > 0 && searchAfter === undefined && postFilter === undefined;

const orders = (key: SortKey, table: Table): boolean =>
  key.kind === 'doc' || (key.kind === 'field' && table.field(key.field) !== undefined);
