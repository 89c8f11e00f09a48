import type { Cost } from './measure';
import type { BenchRequest } from './requests';

/** All costs of one request on one table. */
export interface Measured {
  readonly request: BenchRequest;
  readonly layout: string;
  readonly costs: readonly Cost[];
}

export const costBy = (measured: Measured, way: Cost['way']): Cost | undefined =>
  measured.costs.find((cost) => cost.way === way);

/** From here on a share of the time counts, below it the time itself. */
const longMs = 20;

interface Goal {
  readonly text: string;
  /** What is above the goal, in words; undefined where it is met or does not concern the request. */
  readonly miss: (measured: Measured) => string | undefined;
}

const ms = (value: number): string => `${value.toFixed(1)} ms`;

const againstHand =
  (share: number, concerns: (request: BenchRequest) => boolean): Goal['miss'] =>
  (measured) => {
    const [hand, own] = [costBy(measured, 'by hand'), costBy(measured, 'answer process')];
    if (!hand || !own || !concerns(measured.request)) return undefined;
    const ratio = own.medianMs / hand.medianMs;
    if (hand.medianMs > longMs) return ratio > share ? `${ratio.toFixed(2)} ×` : undefined;
    const more = own.medianMs - hand.medianMs;
    return more > 3 && ratio > share ? `${ms(more)} more` : undefined;
  };

const isLongPage = ({ name }: BenchRequest): boolean => name === '10,000 hits';

const ownTime =
  (most: number, concerns: (request: BenchRequest) => boolean): Goal['miss'] =>
  (measured) => {
    const own = costBy(measured, 'answer process');
    return own && concerns(measured.request) && own.ownMs > most ? ms(own.ownMs) : undefined;
  };

/** What the answer process is measured against. */
export const goals: readonly Goal[] = [
  {
    text: 'at most 1.15 × the best statements above 20 ms, at most 3 ms more below',
    miss: againstHand(1.15, (request) => !isLongPage(request)),
  },
  {
    text: '10,000 hits in at most 1.3 × the time of reading the same rows',
    miss: againstHand(1.3, isLongPage),
  },
  {
    text: 'at most 2 ms of our processor time for a panel',
    miss: ownTime(2, ({ kind }) => kind === 'panel'),
  },
  {
    text: 'at most 10 ms of our processor time for 500 hits',
    miss: ownTime(10, (request) => request.kind === 'hits' && !isLongPage(request)),
  },
  {
    text: 'the gateway adds at most 1 ms',
    miss: (measured: Measured): string | undefined => {
      const [own, whole] = [costBy(measured, 'answer process'), costBy(measured, 'gateway')];
      if (!own || !whole || own.medianMs > longMs) return undefined;
      const more = whole.medianMs - own.medianMs;
      return more > 1 ? `${ms(more)} more` : undefined;
    },
  },
];
