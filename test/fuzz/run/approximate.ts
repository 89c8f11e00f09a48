import {
  type JsonObject,
  type JsonValue,
  isJsonObject,
} from '../../../plugins/kibana-clickhouse/common/json/json';
import { type Difference, isNumber } from '../../oracle/compare';
import type { FuzzDocuments } from '../documents/field';
import type { FuzzRequest } from '../requests/context';

type Fields = Pick<FuzzDocuments, 'fields'>;

/**
 * Whether a difference is one that Elasticsearch itself makes when it answers by approximation: it does not know how many
 * documents of other terms it might have missed (-1), or adds up in another order.
 */
export const isApproximate = (
  difference: Difference,
  request: FuzzRequest,
  documents: Fields,
): boolean =>
  (difference.path.endsWith('doc_count_error_upper_bound') &&
    difference.theirs === -1 &&
    difference.ours === 0) ||
  isRounding(difference, request, documents);

/**
 * Where two means of the same values may differ for the order of adding alone. Elasticsearch's compensated sum errs by at
 * most 2^-52 of the sum of the magnitudes, ours as well; so a mean errs by that part of the largest magnitude.
 */
const ofMean = 2 ** -50;

/** More values than a field of the documents has in all: what a sum may err more than a mean. */
const mostValues = 500;

/** Whether a difference is that of rounding: Elasticsearch itself gives another sum when documents stand in another order. */
function isRounding(
  { path, ours, theirs }: Difference,
  { body }: FuzzRequest,
  documents: Fields,
): boolean {
  if (!isNumber(ours) || !isNumber(theirs)) return false;
  const distance = Math.abs(Number(ours) - Number(theirs));
  return metricsOf(body['aggs']).some(({ name, type, fields }) => {
    const [, member] =
      new RegExp(`(?:^|\\.)${name}((?:\\.[a-z_]+)+(?:\\.-?[\\dE.]+)?)$`).exec(path) ?? [];
    if (member === undefined) return false;
    const largest = Math.max(0, ...fields.map((field) => largestOf(field, documents)));
    return distance <= allowed(type, member, largest);
  });
}

/** How far two numbers of a metric may be apart, by the largest magnitude of its values. */
function allowed(type: string, member: string, largest: number): number {
  if (type === 'avg' || interpolations.includes(type)) return ofMean * largest;
  if (!sums.includes(type)) return 0;
  if (/variance|squares/.test(member)) return ofMean * mostValues * largest ** 2;
  return member.includes('deviation') && largest > 2 ** 31
    ? Math.sqrt(ofMean * mostValues) * largest
    : ofMean * mostValues * largest;
}

/** Elasticsearch's TDigest gives values between two of the documents', as the centres and weights of its clusters round. */
const interpolations: readonly string[] = ['percentiles', 'median_absolute_deviation'];

const sums: readonly string[] = ['sum', 'stats', 'extended_stats', 'weighted_avg'];

interface Metric {
  readonly name: string;
  readonly type: string;
  readonly fields: readonly string[];
}

/** All aggregations of a tree with the fields that they read. */
function metricsOf(aggs: JsonValue | undefined): readonly Metric[] {
  return Object.entries(isJsonObject(aggs) ? aggs : {}).flatMap(([name, definition]) => {
    if (!isJsonObject(definition)) return [];
    const [type = ''] = Object.keys(definition);
    const params = definition[type];
    const fields = isJsonObject(params) ? fieldsOf(params) : [];
    return [{ name, type, fields }, ...metricsOf(definition['aggs'])];
  });
}

/** `field`, also of the value and the weight of a `weighted_avg`. */
const fieldsOf = (params: JsonObject): readonly string[] =>
  [params, params['value'], params['weight']].flatMap((one) => {
    const field = isJsonObject(one) ? one['field'] : undefined;
    return typeof field === 'string' ? [field] : [];
  });

function largestOf(name: string, { fields }: Fields): number {
  const values = fields.find((field) => field.name === name)?.values ?? [];
  return Math.max(0, ...values.filter(isNumber).map((value) => Math.abs(Number(value))));
}
