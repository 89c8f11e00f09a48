import { settingsProblems } from '../../../../schema/settings-problems';
import { illegalArgument } from '../../common/errors/catalogue';

/** More problems than these are counted only. */
const LISTED_PROBLEMS = 10;

/** Throws a 400 that names what is no setting or out of its bounds, by path and without values. */
export function requireValidSettings(settings: unknown): void {
  const problems = settingsProblems(settings);
  if (problems.length === 0) return;
  const listed = problems
    .slice(0, LISTED_PROBLEMS)
    .map(({ path, problem }) => `[${path}] ${problem}`);
  const more = problems.length - listed.length;
  throw illegalArgument([...listed, ...(more > 0 ? [`and ${String(more)} more`] : [])].join('; '));
}
