import type { BlackList } from '../../metadata/black-list/black-list';
import type { Monitor } from '../../metadata/monitor/monitor';
import type { Interceptor } from './interceptor';
import { monitored } from './monitoring';
import { blackListRefused } from './query-black-list';
import { pooled, type StatementPools } from './statement-pools';

/** What the interceptors work with: parts of one configuration that outlive requests. */
export interface InterceptorParts {
  readonly monitor: Monitor;
  readonly blackList: BlackList;
  readonly pools: StatementPools;
}

/** What stands around the execution of statements, the outermost first. The list is fixed. */
export const interceptors = ({
  monitor,
  blackList,
  pools,
}: InterceptorParts): readonly Interceptor[] => [
  // sees what the others refuse, too
  monitored(monitor),
  blackListRefused(blackList),
  // next to ClickHouse: what is answered or refused before needs no place
  pooled(pools),
];
