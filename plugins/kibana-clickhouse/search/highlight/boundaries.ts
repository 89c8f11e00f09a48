/** Where fragments of a text may begin and end. */
export interface Boundaries {
  /** The fragment around a match that begins at `offset`, in UTF-16 units. Offsets must rise from call to call. */
  readonly around: (offset: number) => { readonly start: number; readonly end: number };
}

/** All of the text. */
export const wholeText = (text: string): Boundaries => ({
  around: () => ({ start: 0, end: text.length }),
});

const wordSegments = new Intl.Segmenter('en', { granularity: 'word' });
const sentenceSegments = new Intl.Segmenter('en', { granularity: 'sentence' });

/** Offsets of all boundaries, the end of the text among them. */
const boundariesOf = (segments: Intl.Segmenter, text: string): readonly number[] => [
  ...Array.from(segments.segment(text), ({ index }) => index),
  text.length,
];

const preceding = (boundaries: readonly number[], offset: number): number =>
  boundaries.findLast((boundary) => boundary < offset) ?? 0;

const following = (boundaries: readonly number[], offset: number): number | undefined =>
  boundaries.find((boundary) => boundary > offset);

/** The word alone. */
export function wordBoundaries(text: string): Boundaries {
  const words = boundariesOf(wordSegments, text);
  return {
    around: (offset) => ({
      start: preceding(words, offset + 1),
      end: following(words, offset) ?? text.length,
    }),
  };
}

/**
 * Sentences, as many as fit into `size` from that of the match on; a longer sentence is cut between words (Elasticsearch 7.17
 * BoundedBreakIteratorScanner).
 */
export function sentenceBoundaries(text: string, size: number): Boundaries {
  const sentences = boundariesOf(sentenceSegments, text);
  let words: readonly number[] | undefined;
  let window = { start: -1, end: -1 };
  let inner = { start: -1, end: -1 };
  const cut = (at: number): void => {
    words ??= boundariesOf(wordSegments, text);
    let { start, end } = inner;
    if (at - size > start) start = Math.max(start, preceding(words, at - size));
    const remaining = Math.max(0, size - (at - start));
    if (at + remaining < window.end)
      end = Math.min(window.end, following(words, at + remaining) ?? window.end);
    inner = { start, end };
  };
  return {
    around: (offset) => {
      const at = offset + 1;
      if (at > window.start && at < window.end) inner = { start: inner.end, end: window.end };
      else {
        window = withinSize(sentences, at, size);
        inner = window;
      }
      if (inner.end - inner.start > size) cut(at);
      return inner;
    },
  };
}

function withinSize(
  sentences: readonly number[],
  at: number,
  size: number,
): { readonly start: number; readonly end: number } {
  const start = preceding(sentences, at);
  let end = following(sentences, at - 1) ?? start;
  while (end - start < size) {
    const next = following(sentences, end);
    if (next === undefined || next - start > size) break;
    end = next;
  }
  return { start, end };
}
