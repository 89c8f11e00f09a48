import type { Executor } from '../../clickhouse/execution/executor';

/** Stands around an executor and is one itself: sees every statement of a search before and after it runs. */
export type Interceptor = (next: Executor) => Executor;

/** An executor with interceptors around it, the outermost first. */
export const intercepted = (executor: Executor, around: readonly Interceptor[]): Executor =>
  around.reduceRight((next, intercept) => intercept(next), executor);
