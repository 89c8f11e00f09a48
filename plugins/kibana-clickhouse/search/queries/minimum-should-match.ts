import { failedQuery } from '../../common/errors/catalogue';

/**
 * How many of `clauses` optional clauses must match, by Elasticsearch's `minimum_should_match`: `2`,
 * `-1`, `75%`, `-25%`, `2<75%`, `2<-25% 9<-3`. 0 or less means: none is asked for.
 */
export function minimumShouldMatch(specification: string, clauses: number): number {
  const text = specification.trim();
  if (!text.includes('<')) return simpleMinimum(text, clauses);
  let result = clauses;
  for (const condition of text.replaceAll(/\s*<\s*/g, '<').split(/\s+/)) {
    const [above = '', then = ''] = condition.split('<');
    if (clauses <= parseInteger(above)) return result;
    result = minimumShouldMatch(then, clauses);
  }
  return result;
}

function simpleMinimum(text: string, clauses: number): number {
  const percentage = text.includes('%');
  const number = parseInteger(percentage ? text.slice(0, -1) : text);
  // both kinds round towards zero; a negative one says how many may be missing
  const amount = percentage ? Math.trunc((clauses * number) / 100) : number;
  return number < 0 ? clauses + amount : amount;
}

function parseInteger(text: string): number {
  if (!/^[+-]?\d{1,9}$/.test(text))
    throw failedQuery(`For input string: "${text}"`, 'number_format_exception');
  return Number(text);
}
