import {
  type JsonObject,
  type JsonValue,
  isJsonObject,
} from '../../../plugins/kibana-clickhouse/common/json/json';
import { parseJson } from '../../../plugins/kibana-clickhouse/common/json/parse-json';
import { writeJson } from '../../../plugins/kibana-clickhouse/common/json/write-json';
import type { Oracle, OracleAnswer } from '../../oracle/oracle';
import type { FuzzRequest } from '../requests/context';
import { oracleRequest } from './oracle-request';

/**
 * The judge's answer to a date_histogram under a query of its own field, by equal requests. Elasticsearch 7.17 prepares the
 * buckets between the ends that ranges in a query have (DateHistogramAggregator, `Rounding.prepare`): of a document with
 * several dates those outside of the ends fall into the buckets at the ends, and where the ranges exclude each other, or lie
 * before 1970 for a date_nanos, preparing fails. It does not look for ends within a `constant_score`, which takes the same
 * documents; hits, for their scores, are those of the search without aggregations. What is wrong with the aggregations is then
 * said by their own error. Undefined where no histogram is bounded, or the query is wrong.
 */
export async function withoutBounds(
  oracle: Pick<Oracle, 'ask'>,
  { parameters, body }: FuzzRequest,
  index: string,
): Promise<OracleAnswer | undefined> {
  const { query, aggs, ...rest } = body;
  if (query === undefined || aggs === undefined || !isBounded(query, aggs)) return undefined;
  const ask = async (asked: JsonObject): Promise<OracleAnswer> =>
    (await oracle.ask(oracleRequest({ parameters, body: asked }, index))).theirs;
  const [hits, aggregated] = await Promise.all([
    ask({ ...rest, query }),
    ask({ ...rest, query: { constant_score: { filter: query } }, aggs }),
  ]);
  if (hits.status !== 200) return undefined;
  if (aggregated.status !== 200) return aggregated;
  const [answer, { aggregations = {} }] = [parsed(hits), parsed(aggregated)];
  return { status: 200, text: writeJson({ ...answer, aggregations }) };
}

const parsed = ({ text }: OracleAnswer): JsonObject => parseJson(text) as JsonObject;

/** Whether a query names the field of a date_histogram. */
function isBounded(query: JsonValue, aggs: JsonValue): boolean {
  const named = writeJson(query);
  return histogramFields(aggs).some((field) => named.includes(writeJson(field)));
}

function histogramFields(aggs: JsonValue | undefined): readonly JsonValue[] {
  return Object.values(isJsonObject(aggs) ? aggs : {}).flatMap((definition) => {
    if (!isJsonObject(definition)) return [];
    const histogram = definition['date_histogram'];
    const field = isJsonObject(histogram) ? histogram['field'] : undefined;
    return [...(field === undefined ? [] : [field]), ...histogramFields(definition['aggs'])];
  });
}
