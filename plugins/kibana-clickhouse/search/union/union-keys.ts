import { unsupported } from '../../common/errors/catalogue';
import type { FieldType, Table } from '../../clickhouse/catalog/table';
import type { FieldSortKey, SortKey } from '../request/hit-options';
import type { SearchRequest } from '../request/search-request';
import type { MergedKey } from './merge-hits';

/** A search as each index of a union is asked, and how its hits are merged. */
export interface MemberSearch {
  readonly request: SearchRequest;
  readonly keys: readonly MergedKey[];
}

/**
 * What each index is asked for: the whole page from the first hit on, and no aggregations. A key that is printed in a date
 * format is followed by itself as a number, by which hits of several indexes are compared.
 */
export function memberSearch(request: SearchRequest, tables: readonly Table[]): MemberSearch {
  const keys = request.sort.flatMap((key, from) => memberKeys(key, from, tables));
  const { searchAfter, terminateAfter, ...rest } = request;
  const hasAggregations = request.aggregations.length > 0;
  const isUncounted = request.totalHits.kind === 'none';
  return {
    keys,
    request: {
      ...rest,
      aggregations: [],
      // one statement at least, which the query blacklist sees
      ...(hasAggregations && isUncounted && { totalHits: { kind: 'upTo', limit: 0 } as const }),
      sort: keys.map(({ key }) => key),
      from: 0,
      size: request.size === 0 ? 0 : request.from + request.size,
      ...(searchAfter && { searchAfter: keys.map(({ from }) => searchAfter[from] ?? null) }),
      // with aggregations nothing stops early
      ...(terminateAfter !== undefined && !hasAggregations && { terminateAfter }),
    },
  };
}

/** A key as it is asked for, with its place in the request. */
interface MemberKey extends MergedKey {
  readonly from: number;
}

function memberKeys(
  given: SortKey,
  from: number,
  tables: readonly Table[],
): readonly [MemberKey, ...MemberKey[]] {
  const types = typesOf(given, tables);
  const key = withType(given, types);
  const merged = { key, isAddress: types.has('ip'), isShown: true, isCompared: true, from };
  if (key.kind !== 'field' || key.format === undefined) return [merged];
  return [
    { ...merged, isCompared: false },
    { ...merged, key: withoutFormat(key), isShown: false },
  ];
}

function withoutFormat({ unmappedType, numericType, mode, ...key }: FieldSortKey): FieldSortKey {
  const { kind, field, order, missing } = key;
  return {
    ...{ kind, field, order, missing },
    ...(unmappedType !== undefined && { unmappedType }),
    ...(numericType !== undefined && { numericType }),
    ...(mode !== undefined && { mode }),
  };
}

/** Where some tables lack a field it is there of the type that the others have it in, and not of any that the key names. */
function withType(key: SortKey, types: ReadonlySet<FieldType>): SortKey {
  const [type, ...others] = types;
  if (key.kind !== 'field' || key.unmappedType === undefined || type === undefined) return key;
  if (others.length > 0) return key;
  return { ...key, unmappedType: type === 'text' ? 'keyword' : type };
}

/** The types that a key has in the tables. Those that are counted in different units have no order between them. */
function typesOf(key: SortKey, tables: readonly Table[]): ReadonlySet<FieldType> {
  if (key.kind !== 'field') return new Set();
  const types = new Set(tables.flatMap((table) => table.field(key.field)?.type ?? []));
  const isMixed = types.has('date') && types.has('date_nanos') && key.numericType === undefined;
  const hasAddresses = types.has('ip') && types.size > 1;
  if (!isMixed && !hasAddresses) return types;
  throw unsupported(
    `a sort by [${key.field}] over indexes that have it in different types: [${[...types].join(', ')}]`,
  );
}
