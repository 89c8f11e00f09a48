import type { PartialSettings } from '../../../../schema/settings';
import { withSetting, settingAt } from '../../metadata/settings/setting-leaves';
import { acknowledged, requireUsable } from './config-change';
import { readUpdate, refuseBody } from './config-parameters';
import { keepPresent, presentSettings } from './config-present';
import type { ConfigUpdate } from './config-updates';
import { json, type EndpointHandler } from './definition';

/** The handler of one update endpoint: `POST`, the values in the query string, no body. */
export const configUpdate = ({ parameters }: ConfigUpdate): EndpointHandler => ({
  async handle(request, { settings, config }) {
    refuseBody(request);
    const given = readUpdate(request, parameters);
    const change = await settings.update((overlay) => {
      const kept = keepPresent(given, presentSettings(overlay, config));
      requireUsable(kept);
      return parameters.reduce<PartialSettings>(
        (next, { setting }) => withSetting(next, setting, settingAt(kept, setting)),
        overlay,
      );
    });
    return json(acknowledged(change));
  },
});
