/**
 * Elasticsearch's ` did you mean [x]?` after an unknown name, empty where nothing is near
 * (`SuggestingErrorOnUnknown`, 7.17: more than half of the letters in place, best first).
 */
export function suggestion(unknown: string, known: readonly string[]): string {
  const near = known
    .map((name) => ({ name, similarity: similarity(unknown, name) }))
    .filter((candidate) => candidate.similarity > 0.5)
    .sort((a, b) => b.similarity - a.similarity || (a.name < b.name ? -1 : 1))
    .map(({ name }) => name);
  if (near.length === 0) return '';
  return near.length === 1
    ? ` did you mean [${near.join('')}]?`
    : ` did you mean any of [${near.join(', ')}]?`;
}

/** 1 minus the edit distance (Levenshtein) as a share of the longer name. */
function similarity(a: string, b: string): number {
  let row = Array.from({ length: b.length + 1 }, (_, j) => j);
  for (let i = 1; i <= a.length; i += 1) {
    const next = [i];
    for (let j = 1; j <= b.length; j += 1) {
      const substituted = (row[j - 1] ?? 0) + (a[i - 1] === b[j - 1] ? 0 : 1);
      next.push(Math.min(substituted, (row[j] ?? 0) + 1, (next[j - 1] ?? 0) + 1));
    }
    row = next;
  }
  return 1 - (row[b.length] ?? 0) / Math.max(a.length, b.length, 1);
}
