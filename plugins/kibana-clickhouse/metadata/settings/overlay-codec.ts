import { isDeepStrictEqual } from 'node:util';
import { secretSettings, type SettingSecrecy } from '../../../../schema/setting-schema';
import type { PartialSettings } from '../../../../schema/settings';
import { settingsProblems } from '../../../../schema/settings-problems';
import { illegalArgument } from '../../common/errors/catalogue';
import type { ElasticsearchError } from '../../common/errors/elasticsearch-error';
import { holdsUserInformation } from './mask';
import type { SecretCipher } from './secret-cipher';
import { settingAt, settingNames, withSetting } from './setting-leaves';

/** A stored overlay as it was read. */
export interface DecodedOverlay {
  /** What could be read. Secrets in clear. */
  readonly overlay: PartialSettings;
  /** Secrets that could not, by their path, as they are stored. */
  readonly sealed: ReadonlyMap<string, unknown>;
  /** What could not be read and why, with paths and without values. */
  readonly problems: readonly string[];
}

/** How a secret stands in the store. */
interface Encrypted {
  readonly encrypted: string;
}

/**
 * Reads a stored overlay. What is no setting, is out of its bounds, stands in clear though it is a
 * secret, or cannot be decrypted, is left out and named: the rest holds. Without a cipher no secret
 * can be read.
 */
export async function decodeOverlay(
  stored: unknown,
  cipher: SecretCipher | undefined,
): Promise<DecodedOverlay> {
  const sealed = new Map<string, unknown>();
  const problems: string[] = [];
  let overlay: unknown = stored;
  for (const [path, secrecy] of secretSettings) {
    const names = path.split('.');
    const value = settingAt(stored, names);
    if (value === undefined) continue;
    const opened = await open({ value, path, secrecy }, cipher);
    overlay = withSetting(overlay as object, names, opened.value);
    if (opened.problem === undefined) continue;
    problems.push(`[${path}] ${opened.problem}`);
    if (opened.isSealed) sealed.set(path, value);
  }
  const checked = withoutInvalid(overlay);
  return { overlay: checked.overlay, sealed, problems: [...problems, ...checked.problems] };
}

/**
 * The overlay as it is stored, its secrets encrypted. Secrets that could not be read stay as they
 * were, while nothing else of their connection (`proxy.es`, `proxy.ck`) changes. Throws a 400 when it
 * holds a secret and there is no cipher.
 */
export async function encodeOverlay(
  overlay: PartialSettings,
  before: DecodedOverlay,
  cipher: SecretCipher | undefined,
): Promise<unknown> {
  let stored: PartialSettings = overlay;
  for (const [path, secrecy] of secretSettings) {
    const names = path.split('.');
    const value = settingAt(overlay, names);
    const sealed = before.sealed.get(path);
    if (value !== undefined)
      stored = withSetting(stored, names, await close({ value, path, secrecy }, cipher));
    else if (sealed !== undefined && isUntouched(names, overlay, before))
      stored = withSetting(stored, names, sealed);
  }
  return stored;
}

const isUntouched = (
  names: readonly string[],
  overlay: PartialSettings,
  before: DecodedOverlay,
): boolean =>
  isDeepStrictEqual(
    settingAt(overlay, names.slice(0, -1)),
    settingAt(before.overlay, names.slice(0, -1)),
  );

interface Secret {
  readonly value: unknown;
  readonly path: string;
  readonly secrecy: SettingSecrecy;
}

interface Opened {
  readonly value: unknown;
  readonly problem?: string;
  /** It is encrypted, but not for this key. */
  readonly isSealed?: boolean;
}

async function open(secret: Secret, cipher: SecretCipher | undefined): Promise<Opened> {
  const { value, path, secrecy } = secret;
  if (secrecy !== 'values') return openText(value, { path, secrecy, cipher });
  if (!isRecord(value)) return { value };
  const headers: Record<string, unknown> = {};
  for (const [name, header] of Object.entries(value)) {
    const opened = await openText(header, { path: `${path}.${name}`, secrecy, cipher });
    if (opened.problem !== undefined) return { ...opened, value: undefined };
    headers[name] = opened.value;
  }
  return { value: headers };
}

interface OpenContext {
  readonly path: string;
  readonly secrecy: SettingSecrecy;
  readonly cipher: SecretCipher | undefined;
}

async function openText(value: unknown, { path, secrecy, cipher }: OpenContext): Promise<Opened> {
  if (!isEncrypted(value))
    return typeof value === 'string' && isSecretText(value, secrecy)
      ? { value: undefined, problem: 'is stored in clear, and is not taken' }
      : { value };
  if (!cipher)
    return {
      value: undefined,
      problem: 'is encrypted, and there is no secret_key',
      isSealed: true,
    };
  const text = await cipher.decrypt(value.encrypted, path);
  return text === undefined
    ? { value: undefined, problem: 'cannot be decrypted with this secret_key', isSealed: true }
    : { value: text };
}

async function close(
  { value, path, secrecy }: Secret,
  cipher: SecretCipher | undefined,
): Promise<unknown> {
  const seal = async (text: string, name: string): Promise<string | Encrypted> => {
    if (!isSecretText(text, secrecy)) return text;
    if (!cipher) throw keyMissing(name);
    return { encrypted: await cipher.encrypt(text, name) };
  };
  if (secrecy !== 'values') return seal(value as string, path);
  const sealed = Object.entries(value as Readonly<Record<string, string>>).map(
    async ([name, header]) => [name, await seal(header, `${path}.${name}`)] as const,
  );
  return Object.fromEntries(await Promise.all(sealed));
}

/** An empty password is none, and an address is one only with user and password in it. */
function isSecretText(text: string, secrecy: SettingSecrecy): boolean {
  if (secrecy === 'address') return holdsUserInformation(text);
  return secrecy === 'values' || text !== '';
}

const keyMissing = (path: string): ElasticsearchError =>
  illegalArgument(
    `[kibana-clickhouse] [${path}] is a secret, and without secret_key in the plugin configuration it cannot be stored encrypted`,
  );

function withoutInvalid(overlay: unknown): Pick<DecodedOverlay, 'overlay' | 'problems'> {
  const found = settingsProblems(overlay);
  const problems = found.map(({ path, problem }) => `[${path}] ${problem}, and is not taken`);
  if (found.length === 0) return { overlay: overlay as PartialSettings, problems };
  let rest: unknown = overlay;
  for (const { names } of found)
    rest = names.length === 0 ? {} : withSetting(rest as object, settingNames(names), undefined);
  return {
    overlay: settingsProblems(rest).length === 0 ? (rest as PartialSettings) : {},
    problems,
  };
}

const isRecord = (value: unknown): value is Readonly<Record<string, unknown>> =>
  typeof value === 'object' && value !== null && !Array.isArray(value);

const isEncrypted = (value: unknown): value is Encrypted =>
  isRecord(value) && typeof value['encrypted'] === 'string';
