import type { Boundaries } from './boundaries';
import type { Match } from './find-matches';

/** A part of a value that is shown, with the matches in it. */
export interface Passage {
  readonly value: string;
  readonly start: number;
  readonly end: number;
  readonly matches: readonly Match[];
  readonly score: number;
}

/** One value of a field with what was found in it. */
export interface SearchedValue {
  readonly value: string;
  readonly matches: readonly Match[];
  /** Called where there is a match. */
  readonly boundaries: () => Boundaries;
}

interface Shown {
  /** The best ones, at most. */
  readonly limit: number;
  readonly byScore: boolean;
}

/** The passages that are shown, in their order (Lucene 8.11 FieldHighlighter). Values are scored as one text. */
export function passagesOf(
  values: readonly SearchedValue[],
  { limit, byScore }: Shown,
): readonly Passage[] {
  // between two values stands a separator
  const length = values.reduce((sum, { value }) => sum + value.length + 1, -1);
  const frequencies = countTerms(values.flatMap(({ matches }) => matches));
  let before = 0;
  const all: (Passage & { readonly place: number })[] = [];
  for (const searched of values) {
    for (const cut of cutPassages(searched)) {
      const place = before + cut.start;
      all.push({ ...cut, place, score: scoreOf(cut, { place, length, frequencies }) });
    }
    before += searched.value.length + 1;
  }
  const ranked = all.toSorted((a, b) => b.score - a.score || b.place - a.place).slice(0, limit);
  return byScore ? ranked : ranked.toSorted((a, b) => a.place - b.place);
}

type CutPassage = Omit<Passage, 'score'>;

function cutPassages({ value, matches, boundaries }: SearchedValue): readonly CutPassage[] {
  if (matches.length === 0) return [];
  const { around } = boundaries();
  const passages: (CutPassage & { readonly matches: Match[] })[] = [];
  for (const match of matches) {
    const last = passages.at(-1);
    if (last && match.start < last.end) last.matches.push(match);
    else passages.push({ value, ...around(match.start), matches: [match] });
  }
  return passages;
}

const countTerms = (matches: readonly Match[]): ReadonlyMap<string, number> => {
  const counts = new Map<string, number>();
  for (const { term } of matches) counts.set(term, (counts.get(term) ?? 0) + 1);
  return counts;
};

/** Lucene's PassageScorer: `k1`, `b` and the length of a usual passage. */
const saturation = 1.2;
const lengthWeight = 0.75;
const pivot = 87;

interface InContent {
  /** Where the passage begins in all values, and their length, in UTF-16 units. */
  readonly place: number;
  readonly length: number;
  readonly frequencies: ReadonlyMap<string, number>;
}

function scoreOf(
  { start, end, matches }: CutPassage,
  { place, length, frequencies }: InContent,
): number {
  const norm = saturation * (1 - lengthWeight + lengthWeight * ((end - start) / pivot));
  const documents = 1 + length / pivot;
  let score = 0;
  for (const [term, count] of countTerms(matches)) {
    const total = frequencies.get(term) ?? count;
    const weight = (saturation + 1) * Math.log(1 + (documents + 0.5) / (total + 0.5));
    score += weight * (count / (count + norm));
  }
  return score * (1 + 1 / Math.log(pivot + place));
}
