import { type Token, type TokenKind, printedKind } from './token';

/** What Elasticsearch shows behind "Cannot parse": an error of Lucene's, by the name that Elasticsearch gives it. */
export interface SyntaxErrorCause {
  readonly type: 'lucene_parse_exception' | 'token_mgr_error' | 'too_many_clauses';
  readonly reason: string;
}

/** A query that breaks Lucene's classic syntax. The message is what Lucene has after "Cannot parse". */
export class QuerySyntaxError extends Error {
  readonly rootCause: SyntaxErrorCause;

  constructor(message: string, cause?: SyntaxErrorCause) {
    super(message);
    this.rootCause = cause ?? { type: 'lucene_parse_exception', reason: message };
  }
}

const named: Readonly<Record<string, string>> = {
  '\b': '\\b',
  '\t': '\\t',
  '\n': '\\n',
  '\f': '\\f',
  '\r': '\\r',
  '"': '\\"',
  "'": "\\'",
  '\\': '\\\\',
};

/** Text as JavaCC prints it in messages: signs of Java's strings escaped, all beyond ASCII as `\u00e4`. */
const escaped = (text: string): string =>
  text.replaceAll(
    // eslint's rule against control characters is about mistakes; the class names printable ASCII without signs
    /[^ !#-&(-[\]-~]/g,
    (sign) => named[sign] ?? `\\u${sign.charCodeAt(0).toString(16).padStart(4, '0')}`,
  );

/** A token stands where it cannot: `Encountered "<EOF>" at line 1, column 7`, and what could stand there. */
export function unexpectedToken(
  { kind, image, start }: Token,
  expected: readonly TokenKind[],
): QuerySyntaxError {
  const met = kind === 'EOF' ? '<EOF>' : ` ${printedKind(kind)} "${escaped(image)} "`;
  const list = expected.map((one) => `${printedKind(one)} ${one === 'EOF' ? '' : '...'}\n    `);
  const heading = expected.length === 1 ? 'Was expecting:' : 'Was expecting one of:';
  return new QuerySyntaxError(
    `Encountered "${met}" at line 1, column ${String(start)}.\n${heading}\n    ${list.join('')}`,
  );
}

/** No token begins with the text from `start` up to `end`, of which the last character has been read in vain. */
export function lexicalError(text: string, start: number, end: number): QuerySyntaxError {
  const atEnd = end >= text.length;
  const sign = text[end - 1] ?? '';
  const isBreak = atEnd && (sign === '\n' || sign === '\r');
  const place = isBreak ? 'line 2, column 0' : `line 1, column ${String(atEnd ? end + 1 : end)}`;
  const met = atEnd ? '<EOF> ' : `"${escaped(sign)}" (${String(sign.charCodeAt(0))}), `;
  const after = end - start > 1 ? escaped(text.slice(start, end)) : '';
  const reason = `Lexical error at ${place}.  Encountered: ${met}after : "${after}"`;
  return new QuerySyntaxError(reason, { type: 'token_mgr_error', reason });
}
