import type { PluginConfig } from '../../../schema/plugin-config';
import { authorizationOf } from '../../../schema/plugin-config';
import { pluginConfigProblems } from '../../../schema/plugin-config-problems';
import type { Settings } from '../../../schema/settings';
import type { Executor } from '../clickhouse/execution/executor';
import { indexNotFound, internalError } from '../common/errors/catalogue';
import { logAtLevel, type Log } from '../common/log';
import type { Metrics } from '../common/metrics';
import type { SettingsService } from '../metadata/settings/settings-service';
import { startBackground } from './background';
import { checkParts } from './connections/check-parts';
import { type ClickHouseAccess, clickHouseKind } from './connections/clickhouse-connection';
import { type ClickHouseIdentity, clickHouseIdentity } from './connections/clickhouse-identity';
import { FollowedConnection } from './connections/followed-connection';
import { metadataKind, metadataOptions } from './connections/metadata-cluster';
import { ReadTimeouts } from './connections/read-timeouts';
import {
  type ServiceElasticsearch,
  ServiceElasticsearches,
} from './connections/service-elasticsearch';
import { TakenConnections } from './connections/taken-connections';
import { intercepted, type Interceptor } from './execution/interceptor';
import { interceptors } from './execution/interceptors';
import { observedResults, ResultCache } from './execution/result-cache';
import { servedIndexes, type ServedIndexes } from './index-expression';
import type { Lease, Runtime, RuntimeCaller, RuntimeHost } from './runtime';

/** What the parts of a configuration are made with. */
export interface RuntimeParts {
  readonly settings: SettingsService;
  readonly log: Log;
  readonly metrics: Metrics;
}

/**
 * Wires what answers requests of one configuration, and lets it follow the settings. Opens nothing and
 * never throws: each part is made when it is first asked for, and then throws a 500 that names the
 * field it cannot use.
 */
export function createRuntime(config: PluginConfig, parts: RuntimeParts): RuntimeHost {
  const { settings, metrics } = parts;
  const first = settings.current();
  const clickHouseConnections = clickHouseKind(metrics, config.clickhouse);
  const clickHouse = new FollowedConnection(clickHouseConnections, first.proxy.ck);
  const metadata = new FollowedConnection(metadataKind, metadataOptions(config, first));
  const log = logAtLevel(parts.log, config.log_level);
  const background = startBackground({ config, settings, metrics, log, metadata });
  const results = new ResultCache(undefined, background.sharedResults);
  const stopObserving = observedResults(results, metrics);
  const services = new ServiceElasticsearches();
  const readTimeouts = new ReadTimeouts(() => settings.current(), log);
  const fixed: Fixed = {
    config,
    settings,
    metrics,
    log,
    blackList: background.blackList,
    asyncSearches: background.asyncSearches,
    interceptors: interceptors({ ...background, results, settings }),
    problems: pluginConfigProblems(config),
    latestServed: latestServed(settings),
    check: () => checkParts({ clickHouse, metadata, ...background, settings, readTimeouts }),
  };
  const stopFollowing = settings.onChange((now) => {
    clickHouse.follow(now.proxy.ck);
    metadata.follow(metadataOptions(config, now));
    results.clear();
  });
  const lease: RuntimeHost['lease'] = (caller) => {
    readTimeouts.see(caller);
    const taken = new TakenConnections({ clickHouse, metadata });
    const runtime = requestRuntime(fixed, {
      taken,
      behind: () => services.at(caller.elasticsearch),
      identity: () => clickHouseIdentity(config, caller),
      detach: () => work.begin(caller),
    });
    return { runtime, release: taken.release.bind(taken) };
  };
  const work = new DetachedWork(lease);
  return {
    lease,
    get isWorking() {
      return work.isUnderWay;
    },
    get isKeepingOldConnection() {
      return clickHouse.problem !== undefined || metadata.problem !== undefined;
    },
    close: async () => {
      stopFollowing();
      stopObserving();
      results.clear();
      await background.close();
      await Promise.all([clickHouse.close(), metadata.close(), services.close()]);
    },
  };
}

/** Leases that outlive requests. */
class DetachedWork {
  readonly #lease: RuntimeHost['lease'];
  #count = 0;

  constructor(lease: RuntimeHost['lease']) {
    this.#lease = lease;
  }

  get isUnderWay(): boolean {
    return this.#count > 0;
  }

  begin(caller: RuntimeCaller): Lease {
    const { runtime, release } = this.#lease(caller);
    this.#count++;
    let isReleased = false;
    return {
      runtime,
      release: () => {
        if (isReleased) return;
        isReleased = true;
        this.#count--;
        release();
      },
    };
  }
}

/** What is the same for all requests of a configuration. */
interface Fixed extends Pick<
  Runtime,
  'asyncSearches' | 'blackList' | 'check' | 'config' | 'log' | 'metrics' | 'settings'
> {
  readonly interceptors: readonly Interceptor[];
  /** Why the configuration cannot be used. */
  readonly problems: readonly string[];
  readonly latestServed: () => ServedIndexes;
}

/** What belongs to one request. */
interface Own extends Pick<Runtime, 'detach'> {
  readonly taken: TakenConnections;
  /** The Elasticsearch that is the Service, where the configuration names none. */
  readonly behind: () => ServiceElasticsearch | undefined;
  /** With whose rights it searches. Throws a 403. */
  readonly identity: () => ClickHouseIdentity | undefined;
}

function requestRuntime(
  { problems, latestServed: servedNow, interceptors: around, ...fixed }: Fixed,
  { taken, behind, identity, detach }: Own,
): Runtime {
  const valid = <T>(value: T): T => {
    if (problems.length > 0) throw unusable(problems.join('; '));
    return value;
  };
  const { config, settings } = fixed;
  let executor: Executor | undefined;
  const now = settings.current();
  const served = servedNow();
  const clickHouse = (): ClickHouseAccess => {
    const connection = valid(taken).clickHouse;
    const own = identity();
    return own === undefined ? connection : connection.as(own);
  };
  return {
    ...fixed,
    detach,
    get executor() {
      return (executor ??= intercepted(clickHouse().executor, around));
    },
    get elasticsearch() {
      return (valid(taken).metadata ?? behind())?.elasticsearch;
    },
    get namesElsewhere() {
      return (valid(taken).metadata ?? behind())?.names;
    },
    get authorization() {
      if (authorizationOf(valid(config)) === 'none') return undefined;
      const { metadata } = taken;
      if (metadata) return metadata.authorization;
      throw unusable(
        'authorization is elasticsearch, but metadata_config.hosts names no Elasticsearch to ask',
      );
    },
    get served() {
      return valid(served);
    },
    serves: (index) => valid(served).has(index),
    sampleReadsLess: (table) => clickHouse().catalog(now).sampleReadsLess(table),
    table: async (index) => {
      const table = await clickHouse().catalog(now).table(index);
      if (table) return table;
      throw indexNotFound(index, 'ClickHouse has no table of that name');
    },
  };
}

/** The served names, made once for each state of the settings. */
function latestServed(settings: SettingsService): () => ServedIndexes {
  let made: { readonly of: Settings; readonly served: ServedIndexes } | undefined;
  return () => {
    const now = settings.current();
    if (made?.of !== now) made = { of: now, served: servedIndexes(now.proxy) };
    return made.served;
  };
}

const unusable = (problem: string): ReturnType<typeof internalError> =>
  internalError(`[kibana-clickhouse] the plugin configuration cannot be used: ${problem}`);
