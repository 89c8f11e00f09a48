import { bodyTooLarge } from '../../common/errors/catalogue';
import { settingAt, withSetting } from '../../metadata/settings/setting-leaves';
import type { PartialSettings } from '../../../../schema/settings';
import { readSettingsBody } from './config-body';
import { acknowledged, requireUsable } from './config-change';
import { requireParameters } from './config-parameters';
import { keepPresent, presentSettings } from './config-present';
import { json, type EndpointHandler } from './definition';

/** Ten thousand names in each list stay far below, in bytes. */
const MAX_BODY_BYTES = 16 * 1024 * 1024;

/**
 * `POST /config/all`: replaces all that was set. What the body does not name falls back to kong.yml,
 * then to its default; without `es` or `ck` these stay as they are, as does a masked secret.
 */
export const handler: EndpointHandler = {
  async handle(request, { settings, config }) {
    requireParameters(request, []);
    if (request.body.length > MAX_BODY_BYTES)
      throw bodyTooLarge(`the settings have more than [${String(MAX_BODY_BYTES)}] bytes`);
    const given = readSettingsBody(request.body);
    const change = await settings.update((overlay) => {
      const present = presentSettings(overlay, config);
      const kept = keepPresent(withConnections(given, overlay), present);
      requireUsable(kept);
      return kept;
    });
    return json(acknowledged(change));
  },
};

function withConnections(given: PartialSettings, overlay: PartialSettings): PartialSettings {
  let whole = given;
  for (const names of CONNECTIONS) {
    const before = settingAt(overlay, names);
    if (settingAt(given, names) === undefined && before !== undefined)
      whole = withSetting(whole, names, before);
  }
  return whole;
}

const CONNECTIONS = [
  ['proxy', 'es'],
  ['proxy', 'ck'],
] as const;
