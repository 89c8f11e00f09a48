import type { Table } from '../../clickhouse/catalog/table';
import { and, call, or, param } from '../../clickhouse/sql/build';
import type { Expr, OrderBy, SelectNode } from '../../clickhouse/sql/nodes';
import { isUnsupported } from '../../common/errors/catalogue';
import { ElasticsearchError } from '../../common/errors/elasticsearch-error';
import type { JsonValue } from '../../common/json/json';
import { epochMillis } from '../aggregations/instants';
import type { HighlightedField } from '../highlight/highlighted-fields';
import { type PrintHighlight, planHighlight } from '../highlight/plan-highlight';
import type { Scope } from '../plan/aggregation-plan';
import type { QueryNode } from '../queries/definition';
import type { FieldSortKey, HitOptions, SortKey } from '../request/hit-options';
import type { ScriptField } from '../request/script-fields';
import { type PlannedFields, planFields } from './field-cells';
import { type Cells, HitColumns } from './hit-line';
import { orderOfIndex } from './index-order';
import { type RowHash, rowHash } from './row-hash';
import { planScriptFields } from './script-cells';
import { type RowsAfter, rowsAfter } from './search-after';
import { type LeadingKey, leadingRows } from './sort-bound';
import { type PlannedSortKey, planSortKey, type SortContext } from './sort-keys';
import { sourceColumns } from './source-columns';

/** The part of a search that decides its hits. */
export interface HitsRequest extends HitOptions {
  /** Whether every hit scores 1.0, or 0.0. */
  readonly query: Pick<QueryNode, 'scoring'>;
  /** Absent: hits show no `highlight`. */
  readonly highlighted?: readonly HighlightedField[];
  /** Absent: none. */
  readonly scriptFields?: readonly ScriptField[];
  /** The sort values of the hit behind which the page begins; absent: it begins at `from`. */
  readonly searchAfter?: readonly JsonValue[];
  /** Whether more pages follow: hits are put in a total order, and their places in it can be told. */
  readonly scrolls?: true;
}

/** One statement for the hits, and what its lines are made of. */
export interface HitsPlan extends HitContents {
  readonly statement: SelectNode;
}

/** What hits are printed from. */
export interface HitContents {
  /** What a statement selects for them; takes its lines apart. */
  readonly columns: HitColumns;
  /** Epoch ms, first and second half of the hash; undefined where hits show no `_id`. */
  readonly id: ((cells: Cells) => IdCells) | undefined;
  readonly showsSource: boolean;
  readonly fields: readonly PlannedFields[];
  readonly highlight: PrintHighlight;
  /** Empty where hits have no `sort`. */
  readonly sort: readonly PlannedSortKey[];
  /** Of a scroll, JSON text of the place of a hit, as `searchAfter` takes it. */
  readonly position?: (cells: Cells) => string;
  readonly scores: Scores;
}

export interface IdCells {
  readonly timeMs: number | undefined;
  readonly high: number;
  readonly low: number;
}

/** JSON texts: `null`, `0.0`, `1.0`. */
export interface Scores {
  readonly hit: string;
  /** Of the answer, where it has hits. */
  readonly max: string;
}

/**
 * Plans the hits of a search: one statement that selects what hits print, cells first and then the
 * columns of `_source`. Throws for fields that cannot sort or print.
 */
export function planHits(request: HitsRequest, table: Table, scope: Scope): HitsPlan {
  const { contents, keys } = planContents(request, table);
  return {
    ...contents,
    statement: {
      columns: contents.columns.select(sourceColumns(table, request.source)),
      from: { kind: 'table', database: table.database, table: table.name },
      ...orderedRows(request, keys, table, scope),
      limit: request.size,
      ...(request.from > 0 && { offset: request.from }),
    },
  };
}

/** Plans what hits print, whichever rows they are; `keys` are those of the sort. */
export function planContents(
  request: HitsRequest,
  table: Table,
): { readonly contents: HitContents; readonly keys: readonly PlannedSortKey[] } {
  const columns = new HitColumns(table);
  const hash = rowHash(table);
  const scores = scoresOf(request);
  const context = { table, columns, hash };
  const shown = planSort(request, context);
  const keys = request.scrolls
    ? planSort({ ...request, sort: orderingOf(request) }, context)
    : shown;
  const id = request.showsId ? idCells(table, columns, hash) : undefined;
  const fields = [
    ...planFields(request, table, columns),
    ...scriptFieldsOf(request, table, columns),
  ];
  const highlight = planHighlight(request.highlighted ?? [], columns);
  const sort = isSorted(request) ? shown : [];
  const showsSource = request.source.enabled;
  return {
    contents: {
      ...{ columns, id, showsSource, fields, highlight, sort, scores },
      ...(request.scrolls && {
        position: (cells: Cells) => `[${keys.map((key) => key.print(cells)).join(',')}]`,
      }),
    },
    keys,
  };
}

/** A field that is asked for stands before a script field of its name. */
function scriptFieldsOf(
  { scriptFields = [], fields }: HitsRequest,
  table: Table,
  columns: HitColumns,
): readonly PlannedFields[] {
  const isField = (name: string): boolean => fields.some(({ pattern }) => pattern === name);
  const shown = scriptFields.filter(({ name }) => !isField(name));
  return planScriptFields(shown, (name) => table.field(name), columns);
}

/**
 * The keys that put hits in order. The pages of a scroll follow each other whatever ties, and whatever a date format leaves out of
 * a sort value.
 */
function orderingOf({ sort, scrolls }: Pick<HitsRequest, 'scrolls' | 'sort'>): readonly SortKey[] {
  if (!scrolls) return sort;
  const exact = sort.map((key) => (key.kind === 'field' ? withoutFormat(key) : key));
  return exact.some(({ kind }) => kind === 'doc')
    ? exact
    : [...exact, { kind: 'doc', order: 'asc' }];
}

const planSort = (
  { sort, query }: Pick<HitsRequest, 'query' | 'sort'>,
  context: Omit<SortContext, 'score'>,
): readonly PlannedSortKey[] =>
  sort.map((key) => planSortKey(key, { ...context, score: query.scoring ? '1.0' : '0.0' }));

/**
 * Throws Elasticsearch's errors for a sort, which come even where no hits are asked for; what only the gateway cannot sort
 * by does not matter then.
 */
export function requireSortable(
  request: Pick<HitsRequest, 'query' | 'searchAfter' | 'sort'>,
  table: Table,
): void {
  try {
    const keys = planSort(request, { table, columns: new HitColumns(table), hash: rowHash(table) });
    if (request.searchAfter) rowsAfter(isSorted(request) ? keys : [], request.searchAfter);
  } catch (error) {
    if (!(error instanceof ElasticsearchError) || !isUnsupported(error)) throw error;
  }
}

type OrderedRows = Pick<SelectNode, 'where' | 'timeRange' | 'orderBy'>;

/**
 * Which rows in which order. Where the first key is a field and index order decides between equal
 * ones, a bound on the first key keeps the hash from being computed for every row.
 */
function orderedRows(
  request: HitsRequest,
  keys: readonly PlannedSortKey[],
  table: Table,
  scope: Scope,
): OrderedRows {
  const ordered = orderingOf(request);
  const ordering = keys.flatMap(({ orderBy, gaps }, i) =>
    orderBy ? [{ orderBy, gaps, kind: ordered[i]?.kind }] : [],
  );
  const order = ordering.map(({ orderBy }) => orderBy);
  const [first, ...rest] = order;
  const [leading] = ordering;
  const seeks = isSorted(request) || request.scrolls === true;
  const after = request.searchAfter && rowsAfter(seeks ? keys : [], request.searchAfter);
  const rows = after ? narrowed(scope, [after.condition]) : scope;
  if (first === undefined || leading === undefined)
    return { ...rows, orderBy: orderOfIndex(table) };
  const breaksTies = ordering.some(({ kind }) => kind === 'doc');
  if (!breaksTies) return { ...rows, orderBy: [...order, ...indexOrderBehind(order, table)] };
  if (leading.kind !== 'field') return { ...rows, orderBy: order };
  return {
    ...narrowed(scope, boundedRows(leading, request, { table, scope, after })),
    // hides the key from ClickHouse's top-n filter, which would take the bound's place (26.7)
    orderBy: [{ ...first, expr: call('identity', first.expr) }, ...rest],
  };
}

interface Bounded {
  readonly table: Table;
  readonly scope: Scope;
  readonly after: RowsAfter | undefined;
}

/**
 * Conditions on the page that begins behind a hit, such that its first key alone tells most rows apart: those equal to the hit
 * in it, and as many behind as the page has.
 */
function boundedRows(
  leading: LeadingKey,
  { from, size }: Pick<HitsRequest, 'from' | 'size'>,
  { table, scope, after }: Bounded,
): readonly Expr[] {
  if (!after) return [leadingRows(leading, from + size, table, scope)];
  const { behind, at } = after.leading;
  const bound = leadingRows(leading, size, table, narrowed(scope, [behind]));
  return [or([and([behind, bound]), at]), after.condition];
}

/** Stands with the time range: it is derived from the page asked for and no part of the query. */
const narrowed = (scope: Scope, conditions: readonly Expr[]): Scope => ({
  ...scope,
  timeRange: and([...(scope.timeRange ? [scope.timeRange] : []), ...conditions]),
});

function withoutFormat(key: FieldSortKey): FieldSortKey {
  const plain: Omit<FieldSortKey, 'format'> & { format?: string } = { ...key };
  delete plain.format;
  return plain;
}

/** What rows are put in order by where their hash decides nothing: the sort's keys, and then index order. */
export function completeOrder(keys: readonly PlannedSortKey[], table: Table): readonly OrderBy[] {
  const order = keys.flatMap(({ orderBy }) => (orderBy ? [orderBy] : []));
  return [...order, ...indexOrderBehind(order, table)];
}

/** Hits that tie stand in index order, as in Elasticsearch, so that pages of them follow each other. */
const indexOrderBehind = (order: readonly OrderBy[], table: Table): readonly OrderBy[] =>
  orderOfIndex(table).filter(({ expr }) => !order.some((key) => isSame(key.expr, expr)));

const isSame = (a: Expr, b: Expr): boolean =>
  a.kind === 'column' && b.kind === 'column' && a.name === b.name;

/** Scores alone, highest first, are the order without a sort: hits have no `sort` then. */
const isSorted = ({ sort }: Pick<HitsRequest, 'sort'>): boolean => {
  const [first] = sort;
  const onlyScore = sort.length === 1 && first?.kind === 'score' && first.order === 'desc';
  return sort.length > 0 && !onlyScore;
};

/** `_score` and `max_score` of a sorted answer are null unless they were asked for. */
function scoresOf(request: HitsRequest): Scores {
  const score = request.query.scoring ? '1.0' : '0.0';
  if (!isSorted(request) || request.trackScores) return { hit: score, max: score };
  const isKey = request.sort.some(({ kind }) => kind === 'score');
  return { hit: isKey ? score : 'null', max: 'null' };
}

function idCells(table: Table, columns: HitColumns, hash: RowHash): (cells: Cells) => IdCells {
  const readTime = columns.add(timeOf(table));
  const readHigh = columns.add(hash.high);
  const readLow = columns.add(hash.low);
  return (cells) => {
    const time = readTime(cells);
    return {
      timeMs: time === null ? undefined : Number(time),
      high: Number(readHigh(cells)),
      low: Number(readLow(cells)),
    };
  };
}

/** Epoch ms of the table's time field; NULL where it has none. */
function timeOf(table: Table): Expr {
  const field = table.timeField === undefined ? undefined : table.field(table.timeField);
  if (field?.time === undefined || field.multiValued) return param(null, 'Nullable(Int64)');
  return epochMillis(field.expr, field.time);
}
