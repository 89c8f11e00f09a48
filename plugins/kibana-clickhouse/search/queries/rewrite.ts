import { failedQuery, unsupported } from '../../common/errors/catalogue';

/**
 * Checks how a multi-term query is to be rewritten (Elasticsearch 7.17 QueryParsers.parseRewriteMethod). Most ways change
 * scores alone; those that keep only the best terms are refused.
 */
export function checkRewrite(method: string | undefined): void {
  if (method === undefined || constantMethods.includes(method)) return;
  if (/^top_terms_(?:boost_|blended_freqs_)?\d+$/.test(method))
    throw unsupported(`[rewrite] with [${method}]`);
  throw failedQuery(`Failed to parse rewrite_method [${method}]`);
}

const constantMethods: readonly string[] = [
  'constant_score',
  'constant_score_boolean',
  'scoring_boolean',
];
