import { openSharedJudge } from '../judge/shared';
import buildPlugin from '../plugin-server/support/build-plugin';

/** One judge for the run, and the product as its sources say. */
export default async function setUp(): Promise<void> {
  buildPlugin();
  await openSharedJudge();
}
