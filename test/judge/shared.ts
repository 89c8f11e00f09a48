import { judgeDecision } from './available';
import { elasticsearch } from './engines';
import { type Judge, startElasticsearch } from './start';

let judge: Judge | undefined;

const print = (line: string): void => {
  process.stdout.write(`${line}\n`);
};

/**
 * Gives all tests of a run one Elasticsearch: starts it and names it in `ELASTICSEARCH_URL`, unless a server is named
 * there already. Without Java or Maven it prints a skip line and leaves the variable unset; with `CI=true` it throws.
 */
export async function openSharedJudge(): Promise<void> {
  const decision = judgeDecision();
  if (decision.action === 'fail') throw new Error(decision.reason);
  if (decision.action === 'skip') print(decision.reason);
  if (decision.action !== 'start') return;
  const begin = performance.now();
  judge = await startElasticsearch();
  process.env[elasticsearch.variable] = judge.url;
  const seconds = ((performance.now() - begin) / 1000).toFixed(1);
  print(`Elasticsearch ${judge.version} answers after ${seconds} s`);
}

/** Ends what `openSharedJudge` started. */
export async function closeSharedJudge(): Promise<void> {
  if (judge === undefined) return;
  await judge.close();
  judge = undefined;
  Reflect.deleteProperty(process.env, elasticsearch.variable);
}
