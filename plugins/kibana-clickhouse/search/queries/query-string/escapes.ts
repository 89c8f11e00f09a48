import { QuerySyntaxError } from './syntax-error';

/**
 * Text without its backslashes: `\:` is a colon, `\\` a backslash, `\u00e4` the sign of that number. Throws QuerySyntaxError
 * in Lucene's words (`QueryParserBase.discardEscapeChar`).
 */
export function withoutEscapes(text: string): string {
  if (!text.includes('\\')) return text;
  const parts: string[] = [];
  let from = 0;
  for (let at = text.indexOf('\\'); at >= 0; at = text.indexOf('\\', from)) {
    const sign = text[at + 1];
    if (sign === undefined) throw new QuerySyntaxError('Term can not end with escape character.');
    const digits = sign === 'u' ? text.slice(at + 2, at + 6) : undefined;
    parts.push(text.slice(from, at), digits === undefined ? sign : unicodeSign(digits));
    from = at + (digits === undefined ? 2 : 6);
  }
  parts.push(text.slice(from));
  return parts.join('');
}

function unicodeSign(digits: string): string {
  const wrong = /[^\da-fA-F]/.exec(digits)?.[0];
  if (wrong !== undefined)
    throw new QuerySyntaxError(`Non-hex character in Unicode escape sequence: ${wrong}`);
  if (digits.length < 4) throw new QuerySyntaxError('Truncated unicode escape sequence.');
  return String.fromCharCode(Number.parseInt(digits, 16));
}

/** The text with a backslash before every sign of the syntax: the option `escape` of query_string. */
export const withEscapes = (text: string): string =>
  text.replaceAll(/[\\+\-!():^[\]"{}~*?|&/]/g, String.raw`\$&`);
