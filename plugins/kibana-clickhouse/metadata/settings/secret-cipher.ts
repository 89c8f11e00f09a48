import {
  createCipheriv,
  createDecipheriv,
  randomBytes,
  scrypt,
  type ScryptOptions,
} from 'node:crypto';
import { LRUCache } from 'lru-cache';

/** The form of the text, so that another one can follow. */
const VERSION = 'v1';
const ALGORITHM = 'aes-256-gcm';
const KEY_BYTES = 32;
const SALT_BYTES = 16;
const IV_BYTES = 12;
/** 16 MiB and about 50 ms for one key: what OWASP asks of scrypt for interactive use. */
const SCRYPT: ScryptOptions = { N: 2 ** 14, r: 8, p: 1 };
/** Each node writes with a salt of its own; keys of so many salts are kept. */
const KEPT_KEYS = 64;

/** Encrypts and decrypts single secrets with one `secret_key`. */
export interface SecretCipher {
  /**
   * `v1.<salt>.<iv>.<tag>.<data>`, each part base64url: AES-256-GCM, the key derived from `secret_key`
   * and the salt by scrypt. `name` is authenticated with it: the text is of no use anywhere else.
   */
  encrypt(secret: string, name: string): Promise<string>;
  /** Undefined when it is no such text, or made with another key or for another name. */
  decrypt(text: string, name: string): Promise<string | undefined>;
}

/** A cipher with the key of the configuration. Keys are derived in Node's thread pool. */
export function createSecretCipher(secretKey: string): SecretCipher {
  const keys = new LRUCache<string, Promise<Buffer>>({ max: KEPT_KEYS });
  const keyOf = (salt: Buffer): Promise<Buffer> => {
    const name = salt.toString('base64url');
    const known = keys.get(name) ?? derive(secretKey, salt);
    keys.set(name, known);
    return known;
  };
  const ownSalt = randomBytes(SALT_BYTES);
  return {
    async encrypt(secret, name) {
      const iv = randomBytes(IV_BYTES);
      const cipher = createCipheriv(ALGORITHM, await keyOf(ownSalt), iv);
      cipher.setAAD(Buffer.from(name));
      const data = Buffer.concat([cipher.update(secret, 'utf8'), cipher.final()]);
      const parts = [ownSalt, iv, cipher.getAuthTag(), data];
      return [VERSION, ...parts.map((part) => part.toString('base64url'))].join('.');
    },
    async decrypt(text, name) {
      const [version, ...parts] = text.split('.');
      const [salt, iv, tag, data] = parts.map((part) => Buffer.from(part, 'base64url'));
      if (version !== VERSION || !salt || !iv || !tag || !data) return undefined;
      const key = await keyOf(salt);
      try {
        const decipher = createDecipheriv(ALGORITHM, key, iv, { authTagLength: 16 });
        decipher.setAAD(Buffer.from(name)).setAuthTag(tag);
        return Buffer.concat([decipher.update(data), decipher.final()]).toString('utf8');
      } catch {
        return undefined;
      }
    },
  };
}

const derive = (secretKey: string, salt: Buffer): Promise<Buffer> =>
  new Promise((resolve, reject) => {
    scrypt(secretKey, salt, KEY_BYTES, SCRYPT, (error, key) => {
      if (error) reject(error);
      else resolve(key);
    });
  });
