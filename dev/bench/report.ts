import { readable } from '../measure/readable';
import { markdownTable, unformatted } from '../docs/markdown';
import type { Cost } from './measure';
import { type Measured, costBy, goals } from './goals';

export interface Conditions {
  readonly rows: number;
  readonly runs: number;
  readonly command: string;
  readonly clickHouse: string;
  readonly machine: string;
  /** Peak memory of the answer process, in bytes. */
  readonly peakBytes: number;
}

const head = [
  'request',
  'by hand: ms (p95)',
  'answer process: ms (p95)',
  'ratio',
  'gateway: ms (p95)',
  'statements',
  'rows by hand',
  'rows read',
  'ClickHouse CPU ms by hand',
  'ClickHouse CPU ms',
  'our CPU ms',
];

/** The whole of docs/benchmarks.md. */
export function benchmarkPage(all: readonly Measured[], conditions: Conditions): string {
  const { rows, runs, command, clickHouse, machine, peakBytes } = conditions;
  const layouts = [...new Set(all.map(({ layout }) => layout))];
  return [
    '# Benchmarks',
    `Written by \`${command}\`: ${rows.toLocaleString('en')} rows, ${String(runs)} runs of each request by each way in turn, ClickHouse ${clickHouse}, ${machine}.`,
    'By hand: the best statements that we know for the same answer, sent with `@clickhouse/client`, their rows read raw. Answer process: the request as Kibana sends it, to the process that answers. Gateway: the same through the local gateway and the plugin server. Times are medians, p95 in parentheses; processor time is a mean of steps of 10 ms; no two requests ask for the same time range.',
    `The answer process held at most ${(peakBytes / 1048576).toFixed(0)} MB.`,
    ...layouts.flatMap((layout) => [
      `## Sorting key: ${layout}`,
      unformatted(markdownTable(head, all.filter((one) => one.layout === layout).map(lineOf))),
    ]),
    '## Goals',
    unformatted(goalLines(all).join('\n')),
    '',
  ].join('\n\n');
}

function lineOf(measured: Measured): readonly string[] {
  const hand = costBy(measured, 'by hand');
  const own = costBy(measured, 'answer process');
  const whole = costBy(measured, 'gateway');
  return [
    measured.request.name,
    times(hand),
    times(own),
    hand && own ? (own.medianMs / hand.medianMs).toFixed(2) : '',
    times(whole),
    own ? String(own.statements) : '',
    hand ? readable(hand.readRows) : '',
    own ? readable(own.readRows) : '',
    hand ? hand.clickHouseMs.toFixed(0) : '',
    own ? own.clickHouseMs.toFixed(0) : '',
    own ? own.ownMs.toFixed(1) : '',
  ];
}

const times = (cost: Cost | undefined): string =>
  cost ? `${cost.medianMs.toFixed(1)} (${cost.p95Ms.toFixed(1)})` : '';

/** One line for each goal: met, or by what it is missed. */
export const goalLines = (all: readonly Measured[]): readonly string[] =>
  goals.map(({ text, miss }) => {
    const missed = all.flatMap((one) => {
      const by = miss(one);
      return by === undefined ? [] : [`${one.request.name} (${one.layout}): ${by}`];
    });
    return missed.length === 0 ? `- met: ${text}` : `- missed: ${text} — ${missed.join('; ')}`;
  });
