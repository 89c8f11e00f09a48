/** Characters of the largest answer that is kept: `search.max_async_search_response_size` of Elasticsearch is 10 MB. */
export const MAX_KEPT_LENGTH = 10 * 1024 * 1024;

/** A whole answer, or the start of one that is too large to be kept, and its rest. */
export type CollectedAnswer =
  | { readonly kind: 'whole'; readonly text: string }
  | { readonly kind: 'large'; readonly pieces: AsyncIterable<string> };

/** Reads an answer to its end, unless it is larger than what may be kept. */
export async function collectAnswer(
  pieces: AsyncGenerator<string, void, undefined>,
): Promise<CollectedAnswer> {
  let text = '';
  for (;;) {
    const next = await pieces.next();
    if (next.done === true) return { kind: 'whole', text };
    text += next.value;
    if (text.length > MAX_KEPT_LENGTH) return { kind: 'large', pieces: joined(text, pieces) };
  }
}

async function* joined(
  start: string,
  rest: AsyncGenerator<string, void, undefined>,
): AsyncGenerator<string> {
  yield start;
  yield* rest;
}
