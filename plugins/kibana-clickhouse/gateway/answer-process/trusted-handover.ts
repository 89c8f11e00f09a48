import { timingSafeEqual } from 'node:crypto';
import { decodeHandover, type Handover } from '../handover';

/**
 * The hand-over of a request that came through the plugin server: it carries this process's secret.
 * Undefined for any other. The comparison takes the same time wherever the secrets differ.
 */
export function trustedHandover(
  header: string | readonly string[] | undefined,
  secret: string,
): Handover | undefined {
  if (typeof header !== 'string') return undefined;
  const handover: unknown = decodeHandover(header);
  if (typeof handover !== 'object' || handover === null || !('secret' in handover))
    return undefined;
  const given = Buffer.from(String(handover.secret));
  const expected = Buffer.from(secret);
  if (given.length !== expected.length || !timingSafeEqual(given, expected)) return undefined;
  return handover as Handover;
}
