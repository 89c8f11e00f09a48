import { LONGEST_BLACK_LIST_SQL, type BlackListEntry } from '../../../../schema/black-list-entry';
import { isFingerprint } from '../../clickhouse/sql/compile';
import { illegalArgument, parseError } from '../../common/errors/catalogue';
import { isJsonObject, type JsonObject, type JsonValue } from '../../common/json/json';
import { commonParameters, requireKnownParameters } from '../../search/request/url-parameters';
import { optionalJson } from '../search-index';
import { json, type EndpointHandler, type GatewayRequest } from './definition';

/**
 * `GET /proxy/_black_list`: all entries, the oldest first. `POST`: keeps one, `{"range": "60000",
 * "sql": "v1 …"}`. Its id follows from both, so that the same entry twice is one.
 */
export const handler: EndpointHandler = {
  async handle(request, { blackList }) {
    requireKnownParameters(request.path, request.query, commonParameters);
    if (request.method === 'GET')
      return json({ entries: (await blackList.list()).map(shownEntry) });
    const { range, sql } = readEntry(request);
    const { entry, isNew } = await blackList.add(range, sql);
    const warning = isFingerprint(sql) ? {} : { warning: NEVER_MATCHES };
    const result = isNew ? 'created' : 'noop';
    return json({ result, ...shownEntry(entry), ...warning }, isNew ? 201 : 200);
  },
};

const NEVER_MATCHES =
  'the entry can never match a search: its sql is no fingerprint, which starts with the version and the table, as the field key of a monitoring record and POST /proxy/_translate show it';

/** `range` as text, as the specification has it. */
const shownEntry = ({ id, range, sql, createdAt, lastMatchedAt }: BlackListEntry): JsonObject => ({
  id,
  range: String(range),
  sql,
  createdAt: shownTime(createdAt),
  lastMatchedAt: lastMatchedAt === undefined ? null : shownTime(lastMatchedAt),
});

const shownTime = (epochMs: number): string => new Date(epochMs).toISOString();

function readEntry({ body }: GatewayRequest): { readonly range: number; readonly sql: string } {
  const content = optionalJson(body);
  if (content === undefined) throw parseError('request body is required');
  if (!isJsonObject(content)) throw illegalArgument('the body must be an object of range and sql');
  const unknown = Object.keys(content).find((key) => key !== 'range' && key !== 'sql');
  if (unknown !== undefined)
    throw illegalArgument(`unknown field [${unknown}]: expected [range] and [sql]`);
  return { range: readRange(content['range']), sql: readSql(content['sql']) };
}

function readRange(value: JsonValue | undefined): number {
  if (value === undefined) throw illegalArgument('[range] is missing');
  const isWhole = typeof value === 'string' ? /^\d{1,16}$/.test(value) : typeof value === 'number';
  const ms = isWhole ? Number(value) : NaN;
  if (Number.isSafeInteger(ms) && ms >= 0) return ms;
  throw illegalArgument('[range] must be a whole number of milliseconds, 0 or more');
}

function readSql(value: JsonValue | undefined): string {
  if (value === undefined) throw illegalArgument('[sql] is missing');
  const sql = typeof value === 'string' ? value.trim() : '';
  if (sql === '') throw illegalArgument('[sql] must be a text that is not blank');
  if (sql.length <= LONGEST_BLACK_LIST_SQL) return sql;
  throw illegalArgument(
    `[sql] must have at most [${String(LONGEST_BLACK_LIST_SQL)}] characters, but has [${String(sql.length)}]`,
  );
}
