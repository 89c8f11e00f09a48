/**
 * Runs `work` for every item, at most `limit` at the same time, and gives the results in the order of
 * the items. The first rejection rejects the whole; work that has not begun then never begins.
 */
export async function mapLimited<T, R>(
  items: readonly T[],
  limit: number,
  work: (item: T, position: number) => Promise<R>,
): Promise<readonly R[]> {
  const results = new Array<R>(items.length);
  const waiting = items.entries();
  let failed = false;
  const worker = async (): Promise<void> => {
    for (const [position, item] of waiting) {
      if (failed) return;
      results[position] = await work(item, position);
    }
  };
  const workers = Array.from({ length: Math.min(limit, items.length) }, () =>
    worker().catch((error: unknown) => {
      failed = true;
      throw error;
    }),
  );
  await Promise.all(workers);
  return results;
}
