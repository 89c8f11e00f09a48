import { timeFieldCandidates } from '../../clickhouse/catalog/time-field';
import type { Column, Table } from '../../clickhouse/catalog/table';
import { ElasticsearchError } from '../../common/errors/elasticsearch-error';
import type { JsonObject } from '../../common/json/json';
import { commonParameters, requireKnownParameters } from '../../search/request/url-parameters';
import { canBeServed } from '../index-expression';
import type { Runtime } from '../runtime';
import { json, type EndpointHandler } from './definition';

/**
 * `GET /check/{index}`: where a search of that index goes and why, and what ClickHouse has under the
 * name, whether it is served or not. 200 whatever the findings are.
 */
export const handler: EndpointHandler = {
  async handle({ path, query, params }, runtime) {
    requireKnownParameters(path, query, commonParameters);
    const index = params['index'] ?? '';
    const table = canBeServed(index) ? await tableOf(index, runtime) : NO_TABLE;
    return json({ index, ...routeOf(index, runtime), table });
  },
};

/** The first reason that decides. */
function routeOf(index: string, { settings, served }: Runtime): JsonObject {
  const { whiteIndexList, blackIndexList } = settings.current().proxy;
  const [whitelisted, blacklisted] = [whiteIndexList, blackIndexList].map((list) =>
    list.includes(index),
  );
  return {
    goesTo: served.has(index) ? 'clickhouse' : 'elasticsearch',
    reason: reasonOf(index, whitelisted === true, blacklisted === true),
    whitelisted: whitelisted === true,
    blacklisted: blacklisted === true,
  };
}

function reasonOf(index: string, whitelisted: boolean, blacklisted: boolean): string {
  if (!canBeServed(index))
    return 'the name cannot be served: names that start with [.], [_], [-] or [+], and names with a comma, a star or a colon, belong to Elasticsearch';
  if (blacklisted) return 'proxy.blackIndexList names it';
  return whitelisted
    ? 'proxy.whiteIndexList names it, and proxy.blackIndexList does not'
    : 'proxy.whiteIndexList does not name it';
}

const NO_TABLE: JsonObject = { found: false };

async function tableOf(index: string, runtime: Runtime): Promise<JsonObject> {
  try {
    return describe(await runtime.table(index));
  } catch (error) {
    if (!(error instanceof ElasticsearchError)) throw error;
    const { defaultCkDatabase } = runtime.settings.current().proxy.ck;
    const problem =
      error.status === 404
        ? `ClickHouse has no table [${index}] in the database [${defaultCkDatabase}] that the user may see`
        : error.message;
    return { found: false, problem };
  }
}

const describe = (table: Table): JsonObject => ({
  found: true,
  database: table.database,
  name: table.name,
  engine: table.engine,
  sortingKey: table.sortingKey,
  sampleBy: table.samplingKey ?? null,
  timeField: table.timeField ?? null,
  timeFieldCandidates: [...timeFieldCandidates(table.fields)],
  columns: table.columns.length,
  columnTypes: countsOf(table.columns.map(({ type }: Column) => type.text)),
  fields: table.fields.size,
  fieldTypes: countsOf([...table.fields.values()].map(({ type }) => type)),
  unsupportedFields: [...table.fields.values()].flatMap(({ name, refusal }) =>
    refusal === undefined ? [] : [`${name}: ${refusal}`],
  ),
  ...problemOf(table),
});

function problemOf({ timeField, timeFieldProblem }: Table): JsonObject {
  const problem = timeFieldProblem ?? (timeField === undefined ? NO_TIME_FIELD : undefined);
  return problem === undefined ? {} : { problem };
}

const NO_TIME_FIELD =
  'no time field can be selected: a column needs a date type, or an integer type and the text [time] in its name';

/** How often each occurs, the most frequent first. */
function countsOf(values: readonly string[]): JsonObject {
  const counts = new Map<string, number>();
  for (const value of values) counts.set(value, (counts.get(value) ?? 0) + 1);
  return Object.fromEntries([...counts].sort(([, a], [, b]) => b - a));
}
