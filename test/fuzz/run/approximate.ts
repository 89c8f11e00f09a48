import {
  type JsonObject,
  type JsonValue,
  isJsonObject,
} from '../../../plugins/kibana-clickhouse/common/json/json';
import { type Difference, isNumber } from '../../oracle/compare';
import type { FuzzDocuments } from '../documents/field';
import type { FuzzRequest } from '../requests/context';

/**
 * Whether a difference is one that Elasticsearch itself makes when it answers by approximation: it does not know how many
 * documents of other terms it might have missed (-1), or adds up in another order.
 */
export const isApproximate = (
  difference: Difference,
  request: FuzzRequest,
  documents: Pick<FuzzDocuments, 'fields'>,
): boolean =>
  (difference.path.endsWith('doc_count_error_upper_bound') &&
    difference.theirs === -1 &&
    difference.ours === 0) ||
  isRounding(difference, request, documents);

/**
 * Where two means of the same values may differ for the order of adding alone. Elasticsearch's compensated sum errs by at
 * most 2^-52 of the sum of the magnitudes, ours as well; so a mean errs by that part of the largest magnitude.
 */
const allowed = 2 ** -50;

/** Whether a difference is that of rounding: Elasticsearch itself gives another mean when documents stand in another order. */
function isRounding(
  { path, ours, theirs }: Difference,
  { body }: FuzzRequest,
  documents: Pick<FuzzDocuments, 'fields'>,
): boolean {
  const [, name] = /(?:^|\.)([^.]+)\.value$/.exec(path) ?? [];
  if (name === undefined || !isNumber(ours) || !isNumber(theirs)) return false;
  const fields = averagesNamed(name, body['aggs']);
  const largest = Math.max(0, ...fields.map((field) => largestOf(field, documents)));
  return Math.abs(Number(ours) - Number(theirs)) <= allowed * largest;
}

/** Fields of all `avg` aggregations of a name. */
function averagesNamed(name: string, aggs: JsonValue | undefined): readonly string[] {
  return Object.entries(isJsonObject(aggs) ? aggs : {}).flatMap(([key, definition]) => {
    if (!isJsonObject(definition)) return [];
    const own = key === name ? fieldOf(definition) : undefined;
    return [...(own === undefined ? [] : [own]), ...averagesNamed(name, definition['aggs'])];
  });
}

function fieldOf({ avg }: JsonObject): string | undefined {
  const field = isJsonObject(avg) ? avg['field'] : undefined;
  return typeof field === 'string' ? field : undefined;
}

function largestOf(name: string, { fields }: Pick<FuzzDocuments, 'fields'>): number {
  const values = fields.find((field) => field.name === name)?.values ?? [];
  return Math.max(0, ...values.filter(isNumber).map((value) => Math.abs(Number(value))));
}
