import type { PluginConfig } from '../../../../schema/plugin-config';
import { forbidden } from '../../common/errors/catalogue';
import type { RuntimeCaller } from '../runtime';

/** With whose rights statements run, in place of the user of the settings. */
export interface ClickHouseIdentity {
  readonly user?: string;
  readonly pass?: string;
  readonly role?: string;
}

/** Stands in the maps for every consumer that is not named, and for requests without one. */
const EVERYONE_ELSE = '*';

/**
 * The user, the role or both that `clickhouse.users` and `clickhouse.roles` give a caller; undefined without these maps. The
 * administration runs no search: it sees tables as the user of the settings does. 403 for a caller whom neither names.
 */
export function clickHouseIdentity(
  { clickhouse = {} }: Pick<PluginConfig, 'clickhouse'>,
  { role: ofRoute, consumer }: RuntimeCaller,
): ClickHouseIdentity | undefined {
  const { users = {}, passwords = {}, roles = {} } = clickhouse;
  if (ofRoute === 'admin' || isEmpty({ ...users, ...roles })) return undefined;
  const user = ofConsumer(users, consumer);
  const role = ofConsumer(roles, consumer);
  if (user === undefined && role === undefined) throw unknownTo(consumer);
  return { ...credentials(user, passwords), ...(role !== undefined && { role }) };
}

const credentials = (user: string | undefined, passwords: Names): ClickHouseIdentity =>
  user === undefined ? {} : { user, pass: named(passwords, user) ?? '' };

type Names = Readonly<Record<string, string>>;

const isEmpty = (names: Names): boolean => Object.keys(names).length === 0;

const named = (names: Names, name: string): string | undefined =>
  Object.hasOwn(names, name) ? names[name] : undefined;

const ofConsumer = (names: Names, consumer: string | undefined): string | undefined =>
  (consumer === undefined ? undefined : named(names, consumer)) ?? names[EVERYONE_ELSE];

const unknownTo = (consumer: string | undefined): ReturnType<typeof forbidden> =>
  forbidden(
    consumer === undefined
      ? '[kibana-clickhouse] neither clickhouse.users nor clickhouse.roles says with whose rights a request without a consumer searches'
      : `[kibana-clickhouse] neither clickhouse.users nor clickhouse.roles names the consumer [${consumer}]`,
  );
