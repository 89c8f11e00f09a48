import { readFileSync, writeFileSync } from 'node:fs';
import { resolve } from 'node:path';
import { closeClient } from '../gateway/client';
import { sharedJudgeUrl } from '../judge/describe-judged';
import { type Oracle, openOracle } from '../oracle/oracle';
import { readCorpus } from './corpus-request';
import { corpusPage, countOutcomes, readCounts, worsened } from './page';
import { type Replayed, replay } from './replay';
import { corpusDatasets, placing, timelineOf } from './stage';

/*
 * REQUEST_CORPUS and SAMPLE_DATA name the folders of recorded requests and of sample documents. UPDATE_CORPUS_PAGE=1
 * writes docs/corpus.md; CORPUS_REPORT=FILE writes what is different, failed or unjudged with both answers, one JSON object
 * a line.
 */
const { REQUEST_CORPUS, SAMPLE_DATA, UPDATE_CORPUS_PAGE, CORPUS_REPORT } = process.env;
const page = resolve(__dirname, '../../docs/corpus.md');

const lacking = [
  REQUEST_CORPUS === undefined ? 'REQUEST_CORPUS is not set' : undefined,
  SAMPLE_DATA === undefined ? 'SAMPLE_DATA is not set' : undefined,
  sharedJudgeUrl() === '' ? 'no Elasticsearch to compare with' : undefined,
].find((reason) => reason !== undefined);
if (lacking !== undefined) process.stdout.write(`Skipped: replay of the corpus (${lacking})\n`);

(lacking === undefined ? describe : describe.skip)('the recorded requests', () => {
  let oracle: Oracle | undefined;

  afterAll(async () => {
    await oracle?.close();
    closeClient();
  });

  it('are answered as Elasticsearch answers them, no fewer than docs/corpus.md says', async () => {
    const datasets = await corpusDatasets(SAMPLE_DATA ?? '');
    oracle = await openOracle({ datasets, isBehind: true });
    const timelines = new Map(datasets.map((dataset) => [dataset.name, timelineOf(dataset)]));
    const corpus = readCorpus(REQUEST_CORPUS ?? '');
    const stage = { oracle, datasets, place: placing(datasets), timelines };
    const replayed = await replay(corpus, stage);
    if (CORPUS_REPORT !== undefined) writeReport(CORPUS_REPORT, replayed);
    if (UPDATE_CORPUS_PAGE !== undefined) writeFileSync(page, corpusPage(replayed));
    const written = readCounts(readFileSync(page, 'utf8'));
    expect(worsened(written, countOutcomes(replayed))).toEqual([]);
  }, 1_200_000);
});

const reported: readonly string[] = ['different', 'failed', 'unjudged'];

function writeReport(file: string, replayed: readonly Replayed[]): void {
  const lines = replayed
    .filter(({ outcome }) => reported.includes(outcome))
    .map((one) => `${JSON.stringify(one, writable)}\n`);
  writeFileSync(file, lines.join(''));
}

const writable = (_key: string, value: unknown): unknown =>
  typeof value === 'bigint' ? String(value) : value;
