import { secretSettings } from '../../../../schema/setting-schema';
import type { Settings } from '../../../../schema/settings';
import { settingAt, withSetting } from './setting-leaves';

/** Stands for a secret in every answer; in an update it means: keep the present one. */
export const MASK = '******';

/** The settings as they may be shown: the password, header values, and user information in addresses masked. */
export function maskSettings(settings: Settings): Settings {
  let shown = settings;
  for (const [path, secrecy] of secretSettings) {
    const names = path.split('.');
    const value = settingAt(settings, names);
    const masked =
      secrecy === 'values'
        ? maskValues(value as Readonly<Record<string, string>>)
        : maskText(value as string, secrecy);
    shown = withSetting(shown, names, masked);
  }
  return shown;
}

/** Header values, each masked. */
export const maskValues = (headers: Readonly<Record<string, string>>): Record<string, string> =>
  Object.fromEntries(Object.keys(headers).map((name) => [name, MASK]));

/** A secret text masked; an empty one is none. Of addresses, separated by commas, the user information alone. */
export function maskText(text: string, secrecy: 'whole' | 'address'): string {
  if (secrecy === 'whole') return text === '' ? '' : MASK;
  return text
    .split(',')
    .map((address) => address.replace(USER_INFORMATION, `$1${MASK}@`))
    .join(',');
}

/** Up to the last `@`: a password may hold one, and what should be escaped in it may not be. */
const USER_INFORMATION = /^(\s*(?:[a-z][a-z0-9+.-]*:\/\/)?).*@/i;

/** Whether an address (or a list of addresses) holds user information. */
export const holdsUserInformation = (text: string): boolean =>
  text.split(',').some((address) => USER_INFORMATION.test(address));
