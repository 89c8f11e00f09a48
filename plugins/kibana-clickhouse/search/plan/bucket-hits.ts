import type { Table } from '../../clickhouse/catalog/table';
import {
  aggregate,
  array,
  as,
  binary,
  call,
  column,
  integer,
  subquery,
  tuple,
} from '../../clickhouse/sql/build';
import type { Cell } from '../../clickhouse/execution/executor';
import type { Expr, OrderBy, SelectNode } from '../../clickhouse/sql/nodes';
import type { JsonValue } from '../../common/json/json';
import { parseJson } from '../../common/json/parse-json';
import { maxBuckets } from '../aggregations/bucket-limit';
import type { AggregationContext, Level } from '../aggregations/definition';
import { hitWriter } from '../hits/assemble-hits';
import type { ReadCell } from '../hits/hit-line';
import {
  completeOrder,
  type HitContents,
  type HitsRequest,
  planContents,
  planHits,
} from '../hits/plan-hits';
import { sourceColumns } from '../hits/source-columns';
import { chainOf } from './chain';
import { aggregateName, keyName, setName } from './chain-names';
import type { BucketPath } from './chain-result';
import { chainSelect } from './chain-statement';
import type { HitsInPlace } from './hits-in-place';
import { hitsRequest } from './hits-request';
import { leadingValue } from './order-number';
import { withParentKeys } from './parent-keys';

/** One statement for the hits of an aggregation in all buckets around it. */
export interface BucketHitsPlan {
  readonly select: SelectNode;
  /** Takes the lines that ClickHouse wrote. */
  read(lines: readonly string[]): BucketHits;
}

/** What was read for a bucket. */
export type BucketHits = (path: BucketPath) => {
  /** In their order. */
  readonly page: readonly JsonValue[];
  /** Null where scores are. */
  readonly maxScore: number | null;
};

/**
 * Plans the hits of an aggregation. In buckets they are read in two steps within one statement: for the buckets that win
 * a place the least values that the sort compares, which needs few columns; then the rows with these values, which alone are
 * put in order and written. Throws for fields that cannot sort or print.
 */
export function planBucketHits(place: HitsInPlace, context: AggregationContext): BucketHitsPlan {
  const { node, scoring } = place.member;
  const request = hitsRequest(node, { ...context, scoring });
  if (place.levels.length === 0) {
    const planned = unscored(planHits(request, context.table, place.scope), request);
    const toHit = hitReader(planned, request, context);
    const maxScore = maxScoreOf(planned);
    return {
      select: planned.statement,
      read: (lines) => () => ({ page: lines.map(toHit), maxScore }),
    };
  }
  return inBuckets(place, request, context);
}

function inBuckets(
  place: HitsInPlace,
  request: HitsRequest,
  context: AggregationContext,
): BucketHitsPlan {
  const { table } = context;
  const { contents: written, keys } = planContents(request, table);
  const contents = unscored(written, request);
  const { columns } = contents;
  const alias = (expr: Expr): Expr => column(columns.alias(expr));
  const levels = place.levels.map(({ level }) => level);
  const names = levels.map((level, i) => columns.alias(keyColumn(level, i)));
  const bucket = names.map(column);
  const path = array(bucket.map((key) => call('toJSONString', key)));
  const pathName = columns.alias(path);
  const value = leadingValue(request, keys, table);
  const wanted = [...bucket, ...(value ? [alias(value)] : [])];
  const window = request.from + request.size;
  const orderBy = completeOrder(keys, table).map((key): OrderBy => ({
    ...key,
    expr: alias(key.expr),
  }));
  const selected = columns.select(sourceColumns(table, request.source));
  const rows: SelectNode = {
    columns: selected,
    from: { kind: 'table', database: table.database, table: table.name },
    ...place.scope,
  };
  const keyed = withParentKeys(rows, levels, (i) => names[i] ?? '');
  return {
    select: {
      columns: selected.map(({ alias: name }) => as(name, name === pathName ? path : column(name))),
      from: { kind: 'select', select: keyed },
      where: binary(
        'GLOBAL IN',
        only(wanted) ?? tuple(wanted),
        subquery(winners(place, window, value, table)),
      ),
      orderBy,
      limitBy: { limit: window, by: bucket },
      limit: (maxBuckets(context) + 1) * window,
    },
    read: (lines) => byBucket(lines, { contents, readPath: columns.add(path), request, context }),
  };
}

/** A level's key, or what it is made from: that becomes the key itself, and so must be no column that is used besides. */
function keyColumn({ keys, key, ofParent }: Level, place: number): Expr {
  if (keys === 'expanded') return call('arrayJoin', key);
  return ofParent ? call('tupleElement', tuple([key, integer(place)]), integer(1)) : key;
}

const only = <T>(items: readonly T[]): T | undefined => (items.length === 1 ? items[0] : undefined);

/** What a line is read with. */
interface LineReading {
  readonly contents: HitContents;
  readonly readPath: ReadCell;
  readonly request: HitsRequest;
  readonly context: AggregationContext;
}

function byBucket(
  lines: readonly string[],
  { contents, readPath, request, context }: LineReading,
): BucketHits {
  const found = new Map<string, string[]>();
  for (const line of lines) {
    const path = readPath(contents.columns.splitLine(line).cells) as readonly string[];
    const spelled = spell(path.map((key) => parseJson(key)));
    const before = found.get(spelled) ?? [];
    before.push(line);
    found.set(spelled, before);
  }
  const toHit = hitReader(contents, request, context);
  const maxScore = maxScoreOf(contents);
  return (path) => ({
    page: (found.get(spell(path)) ?? []).slice(request.from).map(toHit),
    maxScore,
  });
}

const maxScoreOf = ({ scores }: HitContents): number | null =>
  scores.max === 'null' ? null : Number(scores.max);

/** A sort leaves hits of buckets without scores, also one by the score (Elasticsearch 7.17). */
const unscored = <T extends HitContents>(contents: T, { trackScores }: HitsRequest): T =>
  contents.sort.length > 0 && !trackScores
    ? { ...contents, scores: { hit: 'null', max: 'null' } }
    : contents;

/** The keys of the buckets that win a place, and in each of them the least values of its page. */
function winners(
  { levels, scope }: HitsInPlace,
  window: number,
  value: Expr | undefined,
  table: Table,
): SelectNode {
  const least = value && leastOf(value, window);
  const chain = chainOf(levels, scope, least ? [least] : []);
  const values = least ? column(aggregateName(chain.columns.position(least))) : undefined;
  return {
    columns: [
      ...levels.map((_, i) => as(keyName(i), column(keyName(i)))),
      ...(values ? [as('value', window > 1 ? call('arrayJoin', values) : values)] : []),
    ],
    from: { kind: 'select', select: chainSelect(chain, table) },
    where: binary('=', column(setName), integer(0)),
  };
}

const leastOf = (value: Expr, window: number): Expr =>
  window === 1
    ? aggregate('min', value)
    : { kind: 'aggregate', fn: 'groupArraySorted', parameters: [integer(window)], args: [value] };

/** A bucket's keys in one spelling, whether integers of 64 bits came as text or as numbers. */
const spell = (keys: BucketPath | readonly JsonValue[]): string => JSON.stringify(keys.map(words));

const words = (key: Cell | JsonValue): unknown =>
  typeof key === 'object' && key !== null ? Object.values(key).map(words) : String(key);

/** A line as the hit that it is. */
function hitReader(
  contents: HitContents,
  { version, seqNoPrimaryTerm }: HitsRequest,
  { table, indexName = table.name, version: major = 8 }: AggregationContext,
): (line: string) => JsonValue {
  const write = hitWriter(contents, {
    index: indexName,
    typed: major < 8,
    version,
    seqNoPrimaryTerm,
  });
  return (line) => parseJson(write(line));
}
