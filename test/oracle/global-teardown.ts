import { closeSharedJudge } from '../judge/shared';
import removePlugin from '../plugin-server/support/remove-plugin';

/** Ends the judge and removes the built product. */
export default async function tearDown(): Promise<void> {
  removePlugin();
  await closeSharedJudge();
}
