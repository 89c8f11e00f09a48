import type { Executor } from '../../clickhouse/execution/executor';

/**
 * Stands around an executor and is one itself: sees every statement of a search before and after it runs. `connection` is the
 * innermost executor, which is the same for all statements of one connection.
 */
export type Interceptor = (next: Executor, connection: Executor) => Executor;

/** An executor with interceptors around it, the outermost first. */
export const intercepted = (executor: Executor, around: readonly Interceptor[]): Executor =>
  around.reduceRight((next, intercept) => intercept(next, executor), executor);
