import type { Executor } from '../../clickhouse/execution/executor';
import type { BlackList } from '../../metadata/black-list/black-list';
import type { Monitor } from '../../metadata/monitor/monitor';
import { monitored } from './monitoring';
import { blackListRefused } from './query-black-list';

/** Stands around an executor and is one itself: sees every statement of a search before and after it runs. */
export type Interceptor = (next: Executor) => Executor;

/** What the interceptors work with: parts of one configuration that outlive requests. */
export interface InterceptorParts {
  readonly monitor: Monitor;
  readonly blackList: BlackList;
}

/** What stands around the execution of statements, the outermost first. The list is fixed. */
export const interceptors = ({ monitor, blackList }: InterceptorParts): readonly Interceptor[] => [
  // sees what the others refuse, too
  monitored(monitor),
  blackListRefused(blackList),
];

/** An executor with interceptors around it. */
export const intercepted = (executor: Executor, around: readonly Interceptor[]): Executor =>
  around.reduceRight((next, intercept) => intercept(next), executor);
