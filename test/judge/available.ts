import { elasticsearch } from './engines';
import { missingTools } from './java';

/** What a test run does about the judge. */
export type JudgeDecision =
  | { readonly action: 'use'; readonly url: string }
  | { readonly action: 'start' }
  | { readonly action: 'skip' | 'fail'; readonly reason: string };

const truthy = (value: string | undefined): boolean =>
  value !== undefined && !['', '0', 'false'].includes(value);

/**
 * Whether the comparisons with a real Elasticsearch run: against `ELASTICSEARCH_URL` where that is set, else against a
 * judge of our own. Without Java or Maven they are skipped, with `CI=true` that is a failure. `reason` is a line to print.
 */
export function judgeDecision(
  env: NodeJS.ProcessEnv = process.env,
  missing: () => string | undefined = missingTools,
): JudgeDecision {
  const url = env[elasticsearch.variable];
  if (url !== undefined && url !== '') return { action: 'use', url };
  const lack = missing();
  if (lack === undefined) return { action: 'start' };
  return truthy(env['CI'])
    ? {
        action: 'fail',
        reason: `The comparison with a real Elasticsearch must run here, but ${lack}`,
      }
    : { action: 'skip', reason: `Skipped: comparison with a real Elasticsearch (${lack})` };
}
