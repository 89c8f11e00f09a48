import type { JsonValue } from '../../../plugins/kibana-clickhouse/common/json/json';
import { logs } from '../../datasets/logs';
import { closeClient } from '../../gateway/client';
import { describeJudged } from '../../judge/describe-judged';
import { compareAnswers, parsed } from '../compare';
import { type BothAnswers, type Oracle, openOracle } from '../oracle';
import { printComparison } from '../print-difference';
import { grafanaWalk } from './grafana';
import { kibanaWalks } from './kibana';
import type { Step } from './walk';

jest.setTimeout(120_000);

describeJudged('a walk through', () => {
  let oracle: Oracle;
  beforeAll(async () => {
    oracle = await openOracle({ datasets: [logs] });
  });
  afterAll(async () => {
    await oracle.close();
    closeClient();
  });

  interface Walked {
    readonly ours: Map<string, JsonValue>;
    readonly theirs: Map<string, JsonValue>;
  }

  /** Of an asynchronous search the whole answer, as the interface reads it; the judge's is made one. */
  const seenBy = ({
    envelope,
    ours,
    theirs,
  }: BothAnswers): Readonly<Record<keyof Walked, JsonValue>> =>
    envelope
      ? { ours: envelope, theirs: { response: parsed(theirs.text) } }
      : { ours: parsed(ours.text), theirs: parsed(theirs.text) };

  async function take(
    { name, request, tolerate = [], shows }: Step,
    walked: Walked,
  ): Promise<void> {
    const [ours, theirs] = [request(walked.ours), request(walked.theirs)];
    const both = await oracle.ask(ours, theirs);
    const differences = compareAnswers(both.ours, both.theirs, { request: ours, tolerate });
    if (differences.length > 0)
      throw new Error(`${name}\n${printComparison(both, differences, '')}`);
    const seen = seenBy(both);
    walked.ours.set(name, seen.ours);
    walked.theirs.set(name, seen.theirs);
    expect([name, both.ours.status, shows?.(seen.ours) ?? true]).toEqual([name, 200, true]);
  }

  it.each([...kibanaWalks, grafanaWalk])('$interface', async ({ steps }) => {
    const walked: Walked = { ours: new Map(), theirs: new Map() };
    for (const step of steps) await take(step, walked);
  });
});
