import { as } from '../../../plugins/kibana-clickhouse/clickhouse/sql/build';
import { compileSelect } from '../../../plugins/kibana-clickhouse/clickhouse/sql/compile';
import type { JsonValue } from '../../../plugins/kibana-clickhouse/common/json/json';
import type { QueryContext } from '../../../plugins/kibana-clickhouse/search/queries/definition';
import { parseQuery } from '../../../plugins/kibana-clickhouse/search/queries/registry';
import { table } from './clause-samples';

/** Parses and translates a query: what it fails with, undefined where it does not. */
export function failureOf(query: JsonValue, textSearch: QueryContext['textSearch']): unknown {
  const source = { kind: 'table', database: 'default', table: 'samples' } as const;
  try {
    const condition = parseQuery(query).toCondition({
      table,
      now: 0,
      ...(textSearch && { textSearch }),
    });
    compileSelect({ columns: [as('c', condition)], from: source });
    return undefined;
  } catch (error) {
    return error;
  }
}
