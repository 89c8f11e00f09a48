import { execFileSync } from 'node:child_process';
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';

/** A key and its certificate, as PEM text. */
export interface Certified {
  readonly key: string;
  readonly cert: string;
}

/** An authority of one test run, made by openssl, and what it has vouched for. */
export interface Authority {
  readonly ca: string;
  /** Of 127.0.0.1 and localhost. */
  readonly server: Certified;
  readonly client: Certified;
}

export function makeAuthority(): Authority {
  const directory = mkdtempSync(join(tmpdir(), 'authority-'));
  const openssl = (...args: readonly string[]): void => {
    execFileSync('openssl', args, { cwd: directory, stdio: 'ignore' });
  };
  const read = (name: string): string => readFileSync(join(directory, name), 'utf8');
  const request = ['req', '-newkey', 'rsa:2048', '-nodes'] as const;
  const certified = (name: string): Certified => {
    openssl(...request, '-new', '-subj', `/CN=${name}`, '-keyout', 'key', '-out', 'request');
    openssl(
      ...['x509', '-req', '-days', '2', '-in', 'request', '-out', 'cert', '-extfile', 'names'],
      ...['-CA', 'ca', '-CAkey', 'ca.key', '-CAcreateserial'],
    );
    return { key: read('key'), cert: read('cert') };
  };
  try {
    openssl(
      ...[...request, '-x509', '-days', '2', '-subj', '/CN=authority'],
      ...['-keyout', 'ca.key', '-out', 'ca'],
    );
    writeFileSync(join(directory, 'names'), 'subjectAltName=DNS:localhost,IP:127.0.0.1');
    return { ca: read('ca'), server: certified('server'), client: certified('client') };
  } finally {
    rmSync(directory, { recursive: true });
  }
}
