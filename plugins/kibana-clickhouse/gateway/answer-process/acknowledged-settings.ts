import type { SettingsService } from '../../metadata/settings/settings-service';

/**
 * The same settings, whose updates resolve only when the plugin server decides by them: an update
 * that was answered holds for the next request on this node.
 */
export const acknowledgedSettings = (
  settings: SettingsService,
  acknowledged: () => Promise<void>,
): SettingsService => ({
  current: () => settings.current(),
  overlay: () => settings.overlay(),
  sources: () => settings.sources(),
  ready: () => settings.ready(),
  update: async (change) => {
    const changed = await settings.update(change);
    await acknowledged();
    return changed;
  },
  onChange: (listener) => settings.onChange(listener),
  status: () => settings.status(),
  close: () => settings.close(),
});
