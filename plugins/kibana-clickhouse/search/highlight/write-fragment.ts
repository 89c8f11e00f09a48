import type { HighlightOptions } from '../request/highlight';
import type { Passage } from './passages';

type Tags = Pick<HighlightOptions, 'escapesHtml' | 'postTag' | 'preTag'>;

/** A passage with its matches between tags, without white space around it (Elasticsearch 7.17 CustomPassageFormatter). */
export function writeFragment(
  { value, start, end, matches }: Passage,
  { preTag, postTag, escapesHtml }: Tags,
): string {
  const text = (from: number, to: number): string =>
    escapesHtml ? escaped(value.slice(from, to)) : value.slice(from, to);
  let written = '';
  let at = start;
  for (const match of matches) {
    if (match.start > at) written += text(at, match.start);
    if (match.end > at) {
      written += preTag + text(Math.max(at, match.start), match.end) + postTag;
      at = match.end;
    }
  }
  // what Java's String.trim takes away
  return (written + text(at, Math.max(at, end))).replaceAll(/^[\0- ]+|[\0- ]+$/g, '');
}

/** Lucene's SimpleHTMLEncoder. */
const escaped = (text: string): string =>
  text.replaceAll(/["&'/<>]/g, (letter) => entities[letter] ?? letter);

const entities: Readonly<Record<string, string>> = {
  '"': '&quot;',
  '&': '&amp;',
  "'": '&#x27;',
  '/': '&#x2F;',
  '<': '&lt;',
  '>': '&gt;',
};
