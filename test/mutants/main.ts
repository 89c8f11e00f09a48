import { startElasticsearch } from '../judge/start';
import { buildProduct } from './build-mutant';
import { type Mutant, mutants } from './mutants';
import { runScenarios } from './run-scenarios';

/**
 * `npm run mutants [-- name]`: breaks the product on purpose, once for each mutant (or those whose names hold the given
 * text), and checks that a scenario which is green without it turns red. Prints a table; ends with 1 when a mutant lives.
 */
async function main(wanted: string): Promise<void> {
  const chosen = mutants.filter(({ name }) => name.includes(wanted));
  const given = process.env['ELASTICSEARCH_URL'];
  const judge = given === undefined || given === '' ? await startElasticsearch() : undefined;
  try {
    const url = judge?.url ?? given ?? '';
    const green = greenScenarios(chosen, url);
    if (green.size === 0) throw new Error('no scenario is green without mutants');
    print(`${String(green.size)} scenarios are green without mutants`);
    const alive = chosen.filter((mutant) => !isKilled(mutant, green, url));
    print(`${String(chosen.length)} mutants, ${String(alive.length)} of them not noticed`);
    process.exitCode = alive.length === 0 && chosen.length > 0 ? 0 : 1;
  } finally {
    await judge?.close();
  }
}

const print = (line: string): void => {
  process.stdout.write(`${line}\n`);
};

/** The scenarios that matter to the mutants and that the product passes. */
function greenScenarios(chosen: readonly Mutant[], judgeUrl: string): ReadonlySet<string> {
  const pattern = [...new Set(chosen.map(({ scenarios }) => scenarios))].join('|');
  const product = buildProduct();
  try {
    return runScenarios(product.directory, judgeUrl, pattern).passed;
  } finally {
    product.close();
  }
}

/** One line of the table. */
function isKilled(mutant: Mutant, green: ReadonlySet<string>, judgeUrl: string): boolean {
  const product = buildProduct(mutant);
  try {
    const { failed } = runScenarios(product.directory, judgeUrl, mutant.scenarios);
    const red = [...failed].filter((name) => green.has(name));
    const count = `${String(red.length)} red`.padStart(8);
    print(`${count}  ${mutant.name.padEnd(60)} ${red[0] ?? 'NOT NOTICED'}`);
    return red.length > 0;
  } finally {
    product.close();
  }
}

void main(process.argv[2] ?? '');
