import { illegalArgument } from '../../common/errors/catalogue';
import type { ElasticsearchError } from '../../common/errors/elasticsearch-error';
import { MASK, maskText, maskValues } from '../../metadata/settings/mask';
import { mergeSettings, settingAt, withSetting } from '../../metadata/settings/setting-leaves';
import type { PluginConfig } from '../../../../schema/plugin-config';
import type { PartialSettings, Settings } from '../../../../schema/settings';
import { metadataOptions } from '../connections/metadata-cluster';

/** What an update finds: what was set before, and what is in force with it. */
export interface Present {
  readonly overlay: PartialSettings;
  readonly settings: Settings;
  readonly config: PluginConfig;
}

/** What is present while `overlay` is what the administration endpoints have set. */
export const presentSettings = (overlay: PartialSettings, config: PluginConfig): Present => ({
  overlay,
  config,
  settings: mergeSettings([overlay, config.settings ?? {}]),
});

/** The metadata cluster as `GET /config/all` shows it: also where `es` is empty, before it is masked. */
export function shownElasticsearch({ config, settings }: Pick<Present, 'config' | 'settings'>): {
  readonly host: string;
  readonly headers: Readonly<Record<string, string>>;
} {
  const { hosts, headers } = metadataOptions(config, settings);
  return { host: hosts.join(','), headers };
}

/**
 * Puts what is present in the place of masks: what was set stays set, what kong.yml says is left to
 * kong.yml. So what `GET /config/all` shows can be sent back. Throws a 400 for a mask that stands for
 * nothing.
 */
export function keepPresent(given: PartialSettings, present: Present): PartialSettings {
  return keepHeaders(keepHost(keepConnection(given, present), present), present);
}

function keepConnection(given: PartialSettings, present: Present): PartialSettings {
  const { url, pass } = given.proxy?.ck ?? {};
  const now = present.settings.proxy.ck;
  let kept = given;
  if (pass === MASK) {
    if (now.pass === '') throw nothingToKeep('proxy.ck.pass');
    kept = asPresent(kept, present, ['proxy', 'ck', 'pass']);
  }
  if (url?.includes(MASK) !== true) return kept;
  if (url !== maskText(now.url, 'address')) throw nothingToKeep('proxy.ck.url');
  return asPresent(kept, present, ['proxy', 'ck', 'url']);
}

/** An address that is shown because `es.host` is empty does not become a setting when it comes back. */
function keepHost(given: PartialSettings, present: Present): PartialSettings {
  const host = given.proxy?.es?.host;
  if (host === undefined || host === '') return given;
  const shown = maskText(shownElasticsearch(present).host, 'address');
  if (host === shown) return asPresent(given, present, ['proxy', 'es', 'host']);
  if (host.includes(MASK)) throw nothingToKeep('proxy.es.host');
  return given;
}

function keepHeaders(given: PartialSettings, present: Present): PartialSettings {
  const headers = given.proxy?.es?.headers as Readonly<Record<string, string>> | undefined;
  if (headers === undefined || !Object.values(headers).includes(MASK)) return given;
  const names = ['proxy', 'es', 'headers'];
  const own = present.settings.proxy.es.headers;
  const isForeign = Object.keys(own).length === 0 && (given.proxy?.es?.host ?? '') !== '';
  const shown = isForeign ? {} : shownElasticsearch(present).headers;
  if (isSame(headers, maskValues(shown))) return asPresent(given, present, names);
  const kept = Object.entries(headers).map(([name, value]) => {
    if (value !== MASK) return [name, value] as const;
    const before = valueOf(own, name);
    if (before === undefined) throw nothingToKeep(`proxy.es.headers.${name}`);
    return [name, before] as const;
  });
  return withSetting(given, names, Object.fromEntries(kept));
}

const asPresent = (
  given: PartialSettings,
  { overlay }: Present,
  names: readonly string[],
): PartialSettings => withSetting(given, names, settingAt(overlay, names));

/** Header names have no case. */
const valueOf = (headers: Readonly<Record<string, string>>, name: string): string | undefined =>
  Object.entries(headers).find(([one]) => one.toLowerCase() === name.toLowerCase())?.[1];

const isSame = (
  one: Readonly<Record<string, string>>,
  other: Readonly<Record<string, string>>,
): boolean =>
  Object.keys(one).length === Object.keys(other).length &&
  Object.entries(one).every(([name, value]) => other[name] === value);

const nothingToKeep = (path: string): ElasticsearchError =>
  illegalArgument(
    `[${path}] is or holds the mask [${MASK}], and there is no present value that it stands for`,
  );
