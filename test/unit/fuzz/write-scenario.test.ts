import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { keyword, long } from '../../datasets/dataset';
import type { FuzzDocuments } from '../../fuzz/documents/field';
import { writeScenario } from '../../fuzz/run/write-scenario';
import { readScenarios } from '../../oracle/scenario';

const variable = 'FUZZ_SCENARIOS';
const before = process.env[variable];
let folder: string;
beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), 'found-'));
  process.env[variable] = folder;
});
afterEach(() => {
  rmSync(folder, { recursive: true, force: true });
  if (before === undefined) Reflect.deleteProperty(process.env, variable);
  else process.env[variable] = before;
});

const documents: FuzzDocuments = {
  columns: [long('seq'), long('count', { nullable: true }), keyword('host')],
  fields: [],
  rows: [
    { seq: 0, count: 9007199254740993n, host: "it's\n日本" },
    { seq: 1, host: 'null' },
  ],
  firstMs: 0,
  lastMs: 1,
};

test('a failing case is a scenario with its own documents, numbers to their last digit', () => {
  const body = { query: { term: { count: 9007199254740993n } }, size: 3 };
  const request = { parameters: { track_total_hits: 'true' }, body };
  writeScenario({ request, documents, kind: 'hits.total' });
  const scenarios = readScenarios(folder);
  expect(scenarios).toHaveLength(1);
  const [scenario] = scenarios;
  expect(scenario?.name).toContain('found by random comparison: hits.total');
  expect([...(scenario?.dataset.rows() ?? [])]).toEqual(documents.rows);
  expect(scenario?.dataset.columns).toEqual(documents.columns);
  expect(scenario?.request).toEqual({
    method: 'POST',
    path: `/${scenario?.dataset.name ?? ''}/_search?track_total_hits=true`,
    body,
  });
});

test('one case is one file, however often it is found', () => {
  const found = { request: { parameters: {}, body: {} }, documents, kind: '200 | 400' };
  expect(writeScenario(found)).toBe(writeScenario(found));
  expect(readScenarios(folder)).toHaveLength(1);
});
