import { parsingError } from '../../../common/errors/catalogue';

/** What a bucket without documents or without a value counts as: nothing, 0, or what its metric says. */
export type GapPolicy = 'skip' | 'insert_zeros' | 'keep_values';

const policies: readonly GapPolicy[] = ['insert_zeros', 'skip', 'keep_values'];

/** Throws Elasticsearch's error for another word. */
export function parseGapPolicy(text: string): GapPolicy {
  const found = policies.find((policy) => policy === text);
  if (found) return found;
  throw parsingError(`Invalid gap policy: [${text}], accepted values: [${policies.join(', ')}]`);
}

/** A bucket's value under a policy; NaN is a gap (Elasticsearch 7.17 `BucketHelpers.GapPolicy`). */
export function withoutGap(policy: GapPolicy, value: number, docCount: number): number {
  if (policy === 'keep_values') return Number.isFinite(value) ? value : NaN;
  const isGap = !Number.isFinite(value) || docCount === 0;
  if (!isGap) return value;
  return policy === 'insert_zeros' ? 0 : NaN;
}
