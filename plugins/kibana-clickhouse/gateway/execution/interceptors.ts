import type { BlackList } from '../../metadata/black-list/black-list';
import type { Monitor } from '../../metadata/monitor/monitor';
import type { SettingsService } from '../../metadata/settings/settings-service';
import type { Interceptor } from './interceptor';
import { monitored } from './monitoring';
import { blackListRefused } from './query-black-list';
import type { ResultCache } from './result-cache';
import { resultCached } from './result-cached';
import { pooled, type StatementPools } from './statement-pools';

/** What the interceptors work with: parts of one configuration that outlive requests. */
export interface InterceptorParts {
  readonly monitor: Monitor;
  readonly blackList: BlackList;
  readonly pools: StatementPools;
  readonly results: ResultCache;
  readonly settings: Pick<SettingsService, 'current'>;
}

/** What stands around the execution of statements, the outermost first. The list is fixed. */
export const interceptors = ({
  monitor,
  blackList,
  pools,
  results,
  settings,
}: InterceptorParts): readonly Interceptor[] => [
  // sees what the others refuse, too
  monitored(monitor),
  blackListRefused(blackList),
  resultCached(results, settings),
  // next to ClickHouse: what is answered or refused before needs no place
  pooled(pools),
];
