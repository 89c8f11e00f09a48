import { opensearch } from '../judge/engines';
import { startEngine } from '../judge/start';

/** A program that starts an OpenSearch, says where it is and waits: its end is what the test looks at. */
async function hold(): Promise<void> {
  const { url, home } = await startEngine(opensearch);
  process.stdout.write(`${JSON.stringify({ url, home })}\n`);
  setInterval(() => undefined, 60_000);
}

void hold();
