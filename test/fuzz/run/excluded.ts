import {
  type JsonObject,
  type JsonValue,
  isJsonArray,
  isJsonObject,
} from '../../../plugins/kibana-clickhouse/common/json/json';
import { parseJson } from '../../../plugins/kibana-clickhouse/common/json/parse-json';
import type { Ignored } from '../../oracle/ignored';
import type { BothAnswers, OracleAnswer } from '../../oracle/oracle';
import { type FuzzDocuments, uniqueField } from '../documents/field';
import type { FuzzRequest } from '../requests/context';

type Fields = Pick<FuzzDocuments, 'fields'>;

/** A kind of request on which the two servers may differ, and why. */
interface Excluded {
  readonly reason: string;
  readonly applies: (answers: BothAnswers, documents: Fields) => boolean;
}

/** Differences that are on purpose, or the judge's own fault. The only list of its kind. */
export const excluded: readonly Excluded[] = [
  {
    reason: 'the judge fails by itself (500) where the product answers 400 with a reason',
    applies: ({ ours, theirs }) => theirs.status === 500 && ours.status === 400,
  },
  {
    reason: 'too many buckets: 503 in Elasticsearch 7, 400 in 8 and here',
    applies: ({ ours, theirs }) =>
      theirs.status === 503 && theirs.text.includes('too_many_buckets') && ours.status === 400,
  },
  {
    reason:
      'the judge fails by itself (500) where it must print a date that no document has, or sort buckets of no field',
    applies: ({ ours, theirs }) =>
      theirs.status === 500 &&
      ours.status === 200 &&
      /exceeds the maximum print width|Invalid aggregation order path/.test(theirs.text),
  },
  {
    reason: 'the judge sorts buckets by nothing, and fails only when it puts the answer together',
    applies: ({ ours, theirs }) =>
      [ours, theirs].every(
        ({ status, text }) => status === 400 && text.includes('Invalid aggregation order path'),
      ),
  },
  {
    reason:
      'Elasticsearch says in which phase it found a fault of a pipeline while it put the answer together; the fault is the same',
    applies: isSameFaultOfAssembly,
  },
  {
    reason:
      'the judge has no multi_terms, and prints the keys that stand for them where a pipeline names its buckets',
    applies: ({ theirs }) => theirs.status === 200 && /"keys":\["[^"]*\\u0000/.test(theirs.text),
  },
  {
    reason: 'Elasticsearch looks at the path of an order only when it has buckets to sort',
    applies: ({ ours, theirs }) =>
      ours.status === 400 &&
      theirs.status === 200 &&
      ours.text.includes('Invalid aggregation order path'),
  },
  {
    reason: 'Elasticsearch does not read the ends of a range on a field that no document has',
    applies: ({ ours, theirs }, { fields }) =>
      ours.status === 400 &&
      theirs.status === 200 &&
      ours.text.includes('failed to parse date field') &&
      fields.some(({ kind, values }) => kind.startsWith('date') && values.length === 0),
  },
  {
    reason: 'Elasticsearch has no date_nanos before 1970 and after 2262, ClickHouse has',
    applies: ({ ours, theirs }) =>
      theirs.status === 400 &&
      [200, 400].includes(ours.status) &&
      theirs.text.includes('cannot be stored in nanosecond resolution'),
  },
  {
    reason:
      'the judge fails to prepare an auto_date_histogram where the query and the documents have no instant in common',
    applies: ({ ours, theirs }) =>
      ours.status === 200 &&
      theirs.status === 400 &&
      /\[-?\d+\] must be <= \[-?\d+\]/.test(theirs.text),
  },
  {
    reason: 'the judge prints the bytes of a number that is too large, not its digits',
    applies: ({ ours, theirs }) =>
      ours.status === 400 && /Value \[\[[0-9a-f ]+\]\] is out of range/.test(theirs.text),
  },
];

/** The status of an error that the judge calls its own; its reason is compared all the same. */
export const freeStatus = ({ status, text }: OracleAnswer): readonly Ignored[] =>
  status === 500 && text.includes('Invalid aggregation order path')
    ? ['(status)', 'status'].map((path) => ({
        path,
        reason:
          'an order by what is not there: 500 from the judge, 400 here, as for any fault of a request',
      }))
    : [];

const hitsAreFree = (reason: string): readonly Ignored[] =>
  ['hits.hits.*', 'hits.max_score'].map((path) => ({ path, reason }));

const countsNothing = (parameters: FuzzRequest['parameters'], body: JsonObject): boolean =>
  Number(parameters['size'] ?? body['size']) === 0 && body['track_total_hits'] === 0;

/**
 * The hits of an answer where the request does not decide their order; their number, the total and the aggregations are
 * compared all the same.
 */
export function freeParts(
  { parameters, body }: FuzzRequest,
  theirs: OracleAnswer,
): readonly Ignored[] {
  if (countsNothing(parameters, body))
    return [
      { path: 'hits.total.relation', reason: 'a count that Elasticsearch may know by itself' },
    ];
  // keys of the query string stand behind those of the body
  const given = parameters['sort']?.split(',').map((key) => key.split(':')[0] ?? '') ?? [];
  const names = [...sortNames(body['sort'] ?? []), ...given];
  const isUnsorted = names.length === 0;
  if (names.includes('_score') || (isUnsorted && (isRanked(theirs) || mayRank(body))))
    return hitsAreFree('Elasticsearch ranks by a score that ClickHouse has not');
  return isUnsorted ? [] : [...freeBehind(names), ...(mayRank(body) ? scoresAreFree : [])];
}

const scoresAreFree: readonly Ignored[] = ['hits.hits.*._score', 'hits.max_score'].map((path) => ({
  path,
  reason: 'a clause that need not match scores 0 where it does not',
}));

/** Until the key that no two documents share, hits tie. */
function freeBehind(names: readonly string[]): readonly Ignored[] {
  const decided = names.indexOf(uniqueField);
  const place = names.indexOf('_doc');
  if (place >= 0 && (decided < 0 || place < decided))
    return hitsAreFree('`_doc` is a stable order of rows, not that of Elasticsearch');
  return decided < 0 ? hitsAreFree('which of equal hits comes first is not promised') : [];
}

/** Clauses that are made of others, of which not all need match. */
const compound: readonly string[] = ['query_string', 'simple_query_string', 'dis_max', 'boosting'];

/** Whether a query has clauses that need not match: without them a hit scores less, be it 0. */
function mayRank({ query }: JsonObject): boolean {
  if (isJsonArray(query)) return query.some((one) => mayRank({ query: one }));
  if (!isJsonObject(query)) return false;
  return (
    (query['should'] !== undefined && Object.keys(query).length > 1) ||
    compound.some((name) => query[name] !== undefined) ||
    Object.values(query).some((one) => mayRank({ query: one }))
  );
}

function sortNames(sort: JsonValue): readonly string[] {
  const keys = isJsonArray(sort) ? sort : [sort];
  return keys.flatMap((key) =>
    isJsonObject(key) ? Object.keys(key) : typeof key === 'string' ? [key] : [],
  );
}

/** Whether hits have scores other than those of filters and of `match_all`. */
function isRanked({ status, text }: OracleAnswer): boolean {
  if (status !== 200) return false;
  const answer = parseJson(text);
  const hits = isJsonObject(answer) ? answer['hits'] : undefined;
  const most = isJsonObject(hits) ? hits['max_score'] : undefined;
  return typeof most === 'number' && most !== 0 && most !== 1;
}

/** What an answer says went wrong. */
function errorOf(text: string): JsonObject | undefined {
  const body = parseJson(text);
  const error = isJsonObject(body) ? body['error'] : undefined;
  return isJsonObject(error) ? error : undefined;
}

/** Whether the judge's error only says in which phase it found what ours says. */
function isSameFaultOfAssembly({ ours, theirs }: BothAnswers): boolean {
  if (ours.status !== 400 || theirs.status !== 400) return false;
  const [own, judged] = [errorOf(ours.text), errorOf(theirs.text)];
  const shards = judged?.['failed_shards'];
  const cause = judged?.['caused_by'];
  return (
    isJsonArray(shards) &&
    shards.length === 0 &&
    isJsonObject(cause) &&
    cause['type'] === own?.['type'] &&
    cause['reason'] === own?.['reason']
  );
}
