import type { JsonObject, JsonValue } from '../../../plugins/kibana-clickhouse/common/json/json';
import { isJsonObject } from '../../../plugins/kibana-clickhouse/common/json/json';
import type {
  Consumer,
  GatewayConfiguration,
  KeyCredential,
  PluginUse,
  Route,
  Service,
} from '../configuration';
import { type DeclarativeConfig, DeclarativeConfigError, PLACEHOLDER_KEY } from '../declarative';
import { checkRecord, Problems } from './check';
import {
  consumerSchema,
  groupSchema,
  keySchema,
  pluginSchema,
  routeSchema,
  serviceSchema,
} from './entities';
import { EntityReader, type ReadEntity } from './entity-reader';
import type { FieldSchema } from './field';
import { checkPaths, migratedPath } from './paths';
import { withUrl } from './service-url';

/** A plugin that may stand in a kong.yml: its place in the order and the schema of its config. */
export interface KnownPlugin {
  readonly name: string;
  readonly priority: number;
  readonly config: Pick<FieldSchema, 'fields' | 'entity_checks'>;
}

const FORMATS = ['1.1', '2.1', '3.0'];

const TOP_LEVEL = new Set([
  ...[
    '_format_version',
    '_comment',
    '_ignore',
    '_transform',
    'services',
    'routes',
    'plugins',
    'consumers',
  ],
  ...['keyauth_credentials', 'acls'],
]);

interface RouteDraft {
  readonly entity: ReadEntity;
  readonly service: Service;
}

interface PluginDraft {
  readonly use: PluginUse;
  readonly enabled: boolean;
}

/** The kong.yml on its way to a configuration; what is wrong gathers in `reader.problems`. */
class Draft {
  readonly reader = new EntityReader(new Problems());
  readonly services = new Map<string, Service>();
  readonly routes = new Map<string, RouteDraft & { readonly id: string }>();
  readonly plugins: PluginDraft[] = [];
  readonly consumers = new Map<string, Consumer & { groups: string[] }>();
  readonly keys = new Map<string, KeyCredential>();
  readonly #known: ReadonlyMap<string, KnownPlugin>;
  readonly #migrates: boolean;

  constructor(known: ReadonlyMap<string, KnownPlugin>, migrates: boolean) {
    this.#known = known;
    this.#migrates = migrates;
  }

  service(value: JsonValue, at: string): void {
    const given = isJsonObject(value) ? withUrl(value, at, this.reader.problems) : value;
    const entity = this.reader.entity(serviceSchema, given, at, ['routes', 'plugins']);
    this.reader.unique('service name', entity.fields['name'], at);
    // The schema has checked every field that the type names.
    const service = { ...entity.fields, id: entity.id } as unknown as Service;
    this.#remember(this.services, service, service.name);
    this.each(entity.around['routes'], `${at}.routes`, (route, where) => {
      this.route(route, where, service);
    });
    this.each(entity.around['plugins'], `${at}.plugins`, (plugin, where) => {
      this.plugin(plugin, where, { service_id: service.id });
    });
  }

  route(value: JsonValue, at: string, parent?: Service): void {
    const around = parent === undefined ? ['plugins', 'service'] : ['plugins'];
    const migrated = this.#migrates ? migratedPath(value) : value;
    const entity = this.reader.entity(routeSchema, migrated, at, around);
    this.reader.unique('route name', entity.fields['name'], at);
    checkPaths(entity.fields['paths'], `${at}.paths`, this.reader.problems);
    const service =
      parent ??
      this.reader.reference('service', entity.around['service'], this.services, `${at}.service`);
    if (service === undefined && entity.around['service'] === undefined) {
      this.reader.problems.add(
        at,
        'a Route without a Service is not supported by the local gateway',
      );
    }
    if (service !== undefined) {
      const name = entity.fields['name'];
      const draft = { entity, service, id: entity.id };
      this.#remember(this.routes, draft, typeof name === 'string' ? name : undefined);
    }
    this.each(entity.around['plugins'], `${at}.plugins`, (plugin, where) => {
      this.plugin(plugin, where, { route_id: entity.id });
    });
  }

  plugin(value: JsonValue, at: string, parent?: PluginUse['scope']): void {
    const around = parent === undefined ? ['service', 'route'] : [];
    const entity = this.reader.entity(pluginSchema, value, at, around);
    const { name } = entity.fields;
    if (typeof name !== 'string') return;
    const known = this.#known.get(name);
    if (known === undefined) {
      this.reader.problems.add(`${at}.name`, `plugin '${name}' is not known to the local gateway`);
      return;
    }
    const given = (entity.fields['config'] ?? {}) as JsonObject;
    const config = checkRecord(known.config, given, `${at}.config`, this.reader.problems);
    const scope = parent ?? this.#scope(entity);
    this.reader.unique(`${name} plugin of ${JSON.stringify(scope)}`, 'itself', at);
    const enabled = entity.fields['enabled'] === true;
    this.plugins.push({ use: { id: entity.id, name, config, scope }, enabled });
  }

  #scope(entity: ReadEntity): PluginUse['scope'] {
    const { service, route } = entity.around;
    const { at } = entity;
    if (service !== undefined && route !== undefined) {
      this.reader.problems.add(at, 'a plugin of a Service and a Route is not supported');
    }
    const toRoute = this.reader.reference('route', route, this.routes, `${at}.route`);
    const toService = this.reader.reference('service', service, this.services, `${at}.service`);
    if (toRoute !== undefined) return { route_id: toRoute.id };
    return toService === undefined ? {} : { service_id: toService.id };
  }

  consumer(value: JsonValue, at: string): void {
    const around = ['keyauth_credentials', 'acls'];
    const entity = this.reader.entity(consumerSchema, value, at, around);
    this.reader.unique('consumer username', entity.fields['username'], at);
    const consumer = { ...entity.fields, id: entity.id, groups: [] } as Consumer & {
      groups: string[];
    };
    this.#remember(this.consumers, consumer, consumer.username);
    this.each(entity.around['keyauth_credentials'], `${at}.keyauth_credentials`, (key, where) => {
      this.key(key, where, consumer);
    });
    this.each(entity.around['acls'], `${at}.acls`, (group, where) => {
      this.group(group, where, consumer);
    });
  }

  key(value: JsonValue, at: string, parent?: Consumer): void {
    const around = parent === undefined ? ['consumer'] : [];
    const entity = this.reader.entity(keySchema, value, at, around);
    const key = entity.fields['key'];
    const consumer = parent ?? this.#consumerOf(entity);
    this.reader.unique('key', key, `${at}.key`);
    if (key === PLACEHOLDER_KEY) {
      this.reader.problems.add(
        `${at}.key`,
        `'${PLACEHOLDER_KEY}' is a placeholder, put a key of your own`,
      );
    }
    if (typeof key !== 'string' || consumer === undefined) return;
    this.keys.set(key, { id: entity.id, key, consumer });
  }

  group(value: JsonValue, at: string, parent?: Consumer & { groups: string[] }): void {
    const around = parent === undefined ? ['consumer'] : [];
    const entity = this.reader.entity(groupSchema, value, at, around);
    const consumer = parent ?? this.#consumerOf(entity);
    if (typeof entity.fields['group'] === 'string') consumer?.groups.push(entity.fields['group']);
  }

  #consumerOf(entity: ReadEntity): (Consumer & { groups: string[] }) | undefined {
    const at = `${entity.at}.consumer`;
    if (entity.around['consumer'] === undefined)
      this.reader.problems.add(at, 'required field missing');
    return this.reader.reference('consumer', entity.around['consumer'], this.consumers, at);
  }

  #remember<T extends { readonly id: string }>(
    among: Map<string, T>,
    entity: T,
    name?: string,
  ): void {
    among.set(entity.id, entity);
    if (name !== undefined) among.set(name, entity);
  }

  each(
    value: JsonValue | undefined,
    at: string,
    read: (entity: JsonValue, at: string) => void,
  ): void {
    for (const [index, entity] of this.reader.list(value, at).entries()) {
      read(entity, `${at}[${String(index)}]`);
    }
  }

  finished(): GatewayConfiguration {
    const drafts = [...new Set(this.routes.values())];
    const routes = drafts
      .filter(({ service }) => service.enabled)
      .map(({ entity, service, id }) => {
        const plugins = this.#pluginsOf(id, service.id);
        return { ...entity.fields, id, service, plugins } as unknown as Route;
      });
    return { routes, keys: this.keys };
  }

  /** Kong's precedence per plugin name: the Route's own, then the Service's, then the global one. */
  #pluginsOf(routeId: string, serviceId: string): readonly PluginUse[] {
    const closeness = ({ scope }: PluginUse): number => {
      if (scope.route_id !== undefined) return scope.route_id === routeId ? 3 : 0;
      if (scope.service_id !== undefined) return scope.service_id === serviceId ? 2 : 0;
      return 1;
    };
    const closest = new Map<string, PluginUse>();
    for (const { use, enabled } of this.plugins) {
      const present = closest.get(use.name);
      if (!enabled || closeness(use) === 0) continue;
      if (present === undefined || closeness(use) > closeness(present)) closest.set(use.name, use);
    }
    const priority = (use: PluginUse): number => this.#known.get(use.name)?.priority ?? 0;
    return [...closest.values()].sort((one, other) => priority(other) - priority(one));
  }
}

function checkTopLevel(config: DeclarativeConfig, problems: Problems): void {
  for (const key of Object.keys(config)) {
    if (!TOP_LEVEL.has(key))
      problems.add(key, 'unknown entity, the local gateway cannot honour it');
  }
  const format = config['_format_version'];
  if (typeof format !== 'string' || !FORMATS.includes(format)) {
    problems.add('_format_version', `expected one of: "${FORMATS.join('", "')}" (a quoted string)`);
  }
}

/**
 * Checks a whole kong.yml and resolves it. Throws one DeclarativeConfigError that lists every problem:
 * what Kong would refuse, and what the local gateway cannot honour.
 */
export function resolveConfiguration(
  config: DeclarativeConfig,
  known: readonly KnownPlugin[],
): GatewayConfiguration {
  const draft = new Draft(
    new Map(known.map((plugin) => [plugin.name, plugin])),
    config['_format_version'] !== '3.0',
  );
  checkTopLevel(config, draft.reader.problems);
  draft.each(config['services'], 'services', (value, at) => {
    draft.service(value, at);
  });
  draft.each(config['routes'], 'routes', (value, at) => {
    draft.route(value, at);
  });
  draft.each(config['plugins'], 'plugins', (value, at) => {
    draft.plugin(value, at);
  });
  draft.each(config['consumers'], 'consumers', (value, at) => {
    draft.consumer(value, at);
  });
  const keys = 'keyauth_credentials';
  draft.each(config[keys], keys, (value, at) => {
    draft.key(value, at);
  });
  draft.each(config['acls'], 'acls', (value, at) => {
    draft.group(value, at);
  });
  const { list } = draft.reader.problems;
  if (list.length > 0) throw new DeclarativeConfigError(list);
  return draft.finished();
}
