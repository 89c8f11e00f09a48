import type { BlackList } from '../../metadata/black-list/black-list';
import type { Monitor } from '../../metadata/monitor/monitor';
import type { SharedResults } from '../../metadata/results/shared-results';
import type { SettingsService } from '../../metadata/settings/settings-service';
import { checkSampling } from './check-sampling';
import { checkTimeFields } from './check-time-fields';
import type { ClickHouseConnection } from './clickhouse-connection';
import type { ConnectionLease, Followed } from './followed-connection';
import { pingMetadata, type MetadataConnection } from './metadata-cluster';
import type { PartStatus } from './part-status';
import type { ReadTimeouts } from './read-timeouts';
import { reasonOfFailure } from './reason-of-failure';

/** A part that has not answered in this time counts as down, in ms. */
const LIMIT_MS = 5_000;

/** What is asked. */
export interface CheckedParts {
  readonly clickHouse: Followed<ClickHouseConnection>;
  readonly metadata: Followed<MetadataConnection | undefined>;
  readonly settings: SettingsService;
  readonly monitor: Monitor;
  readonly blackList: BlackList;
  readonly sharedResults: SharedResults;
  readonly readTimeouts: ReadTimeouts;
}

/** Asks all parts at once, each for 5 s at most. Never rejects. */
export const checkParts = (parts: CheckedParts): Promise<readonly PartStatus[]> =>
  Promise.all([
    checkConnection('clickhouse', parts.clickHouse, (connection) => askClickHouse(connection)),
    checkConnection('elasticsearch', parts.metadata, askMetadata),
    Promise.resolve(checkSettings(parts.settings)),
    Promise.resolve(checkMonitor(parts.monitor)),
    Promise.resolve(checkBlackList(parts.blackList)),
    Promise.resolve(checkResultCache(parts)),
    checkSampled(parts),
    checkTimes(parts),
    Promise.resolve(parts.readTimeouts.check()),
  ]);

type Found = Pick<PartStatus, 'status' | 'problems'>;
const UP: Found = { status: 'up', problems: [] };

async function askClickHouse(connection: ClickHouseConnection): Promise<Found> {
  const problems = await connection.ping();
  return problems.length === 0 ? UP : { status: 'degraded', problems };
}

async function askMetadata(
  connection: MetadataConnection | undefined,
  signal: AbortSignal,
): Promise<Found> {
  if (!connection) return { status: 'none', problems: [] };
  const { refuses } = await pingMetadata(connection.client, signal);
  if (!refuses) return UP;
  return {
    status: 'degraded',
    problems: [
      "it refuses the plugin's own requests: metadata_config.headers or proxy.es.headers must hold the right to make them",
    ],
  };
}

async function checkConnection<C>(
  name: PartStatus['name'],
  followed: Followed<C>,
  ask: (connection: C, signal: AbortSignal) => Promise<Found>,
): Promise<PartStatus> {
  const { status, problems } = await found(followed, ask);
  const { problem } = followed;
  if (problem === undefined) return { name, status, problems };
  const kept = `the address of the settings is not in use, because ${problem}; the one before it is kept`;
  return {
    name,
    status: status === 'up' ? 'degraded' : status,
    problems: [...problems, kept],
  };
}

async function found<C>(
  followed: Followed<C>,
  ask: (connection: C, signal: AbortSignal) => Promise<Found>,
): Promise<Found> {
  let lease: ConnectionLease<C> | undefined;
  try {
    lease = followed.take();
    return await within(ask(lease.connection, AbortSignal.timeout(LIMIT_MS)));
  } catch (error) {
    return { status: 'down', problems: [reasonOfFailure(error)] };
  } finally {
    lease?.release();
  }
}

function within<T>(asking: Promise<T>): Promise<T> {
  return new Promise((resolve, reject) => {
    const limit = setTimeout(() => {
      reject(new DOMException('the time is over', 'TimeoutError'));
    }, LIMIT_MS);
    asking.then(resolve, reject).finally(() => {
      clearTimeout(limit);
    });
  });
}

function checkSettings(settings: SettingsService): PartStatus {
  const { store, read, readAt, problem } = settings.status();
  const name = 'settings';
  if (store === 'none') return { name, status: 'none', problems: [] };
  const detail = {
    store,
    ...(readAt !== undefined && { readAt: new Date(readAt).toISOString() }),
  };
  if (!read)
    return {
      name,
      status: 'down',
      problems: [
        `the stored settings were never read, those of kong.yml are in force${problem === undefined ? '' : `: ${problem}`}`,
      ],
      detail,
    };
  if (problem === undefined) return { name, status: 'up', problems: [], detail };
  return {
    name,
    status: 'degraded',
    problems: [`the last known settings are in force: ${problem}`],
    detail,
  };
}

/** Nothing waits for the monitor: without it searches are answered, and not recorded. */
function checkMonitor(monitor: Monitor): PartStatus {
  const { enabled, problem, queued, dropped } = monitor.status();
  const name = 'monitor';
  if (!enabled) return { name, status: 'none', problems: [] };
  const detail = { queued, dropped };
  return problem === undefined
    ? { name, status: 'up', problems: [], detail }
    : { name, status: 'degraded', problems: [problem], detail };
}

/** Results that cannot be shared are kept by the node that has them. */
function checkResultCache({ settings, sharedResults }: CheckedParts): PartStatus {
  const name = 'result_cache';
  if (!settings.current().query.useCache) return { name, status: 'none', problems: [] };
  const { problem } = sharedResults.status();
  return problem === undefined
    ? { name, status: 'up', problems: [] }
    : { name, status: 'degraded', problems: [`results are not shared between nodes: ${problem}`] };
}

/** Without it searches are answered, too, from all rows. */
async function checkSampled({ clickHouse, settings }: CheckedParts): Promise<PartStatus> {
  const now = settings.current();
  const { status, problems } = await found(clickHouse, (connection) =>
    checkSampling(now, () => connection.catalog(now)),
  );
  return { name: 'sampling', status: status === 'down' ? 'degraded' : status, problems };
}

/** One that is not used leaves the choice to the table. */
async function checkTimes({ clickHouse, settings }: CheckedParts): Promise<PartStatus> {
  const now = settings.current();
  const { status, problems } = await found(clickHouse, (connection) =>
    checkTimeFields(now, () => connection.catalog(now)),
  );
  return { name: 'time_fields', status: status === 'down' ? 'degraded' : status, problems };
}

function checkBlackList(blackList: BlackList): PartStatus {
  const { enabled, store, problem, entries } = blackList.status();
  const name = 'black_list';
  if (!enabled || store === 'none') return { name, status: 'none', problems: [] };
  const detail = { store, entries };
  return problem === undefined
    ? { name, status: 'up', problems: [], detail }
    : { name, status: 'degraded', problems: [problem], detail };
}
