import { type ChildProcess, fork } from 'node:child_process';
import { once } from 'node:events';
import { Agent } from 'node:http';
import { join } from 'node:path';
import {
  type FromAnswerProcess,
  isFromAnswerProcess,
} from '../../plugins/kibana-clickhouse/gateway/answer-process/messages';
import { HANDOVER_HEADER, encodeHandover } from '../../plugins/kibana-clickhouse/gateway/handover';
import type { PluginConfig } from '../../schema/plugin-config';
import { type Sent, send } from './send';

/** The built answer process, asked without a gateway in front. */
export interface AnswerProcess {
  readonly pid: number | undefined;
  /** Gives the bytes of the answer. */
  ask(sent: Sent): Promise<number>;
  close(): Promise<void>;
}

const runtime = 'bench';

/** Starts it as the plugin server does. `plugins`: the folder of the built plugin. */
export async function startAnswerProcess(
  plugins: string,
  config: PluginConfig,
): Promise<AnswerProcess> {
  const main = join(plugins, 'kibana-clickhouse/gateway/answer-process/main.js');
  const child = fork(main, [], { stdio: ['ignore', 'inherit', 'inherit', 'ipc'] });
  const { port, secret } = await message(child, 'ready');
  const configured = message(child, 'configured');
  child.send({ kind: 'configure', runtime, config });
  await configured;
  const agent = new Agent({ keepAlive: true });
  const handover = encodeHandover({ secret, runtime, role: 'proxy', prefix: '' });
  return {
    pid: child.pid,
    ask: (sent) => send(port, agent, { ...sent, headers: { [HANDOVER_HEADER]: handover } }),
    close: async () => {
      agent.destroy();
      const exited = once(child, 'exit');
      child.disconnect();
      await exited;
    },
  };
}

async function message<K extends FromAnswerProcess['kind']>(
  child: ChildProcess,
  kind: K,
): Promise<Extract<FromAnswerProcess, { readonly kind: K }>> {
  const ended = once(child, 'exit').then(() => {
    throw new Error('the answer process ended');
  });
  for (;;) {
    const [received] = (await Promise.race([once(child, 'message'), ended])) as unknown[];
    if (isFromAnswerProcess(received) && received.kind === kind)
      return received as Extract<FromAnswerProcess, { readonly kind: K }>;
  }
}
