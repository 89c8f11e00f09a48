import { execFileSync } from 'node:child_process';
import { mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';

/** A key and a certificate for 127.0.0.1 and localhost, made for one test run by openssl. */
export function selfSigned(): { readonly key: Buffer; readonly cert: Buffer } {
  const directory = mkdtempSync(join(tmpdir(), 'certificate-'));
  const [key, cert] = [join(directory, 'key.pem'), join(directory, 'cert.pem')];
  try {
    execFileSync(
      'openssl',
      [
        ...[
          'req',
          '-x509',
          '-newkey',
          'rsa:2048',
          '-nodes',
          '-days',
          '2',
          '-subj',
          '/CN=localhost',
        ],
        ...['-addext', 'subjectAltName=DNS:localhost,IP:127.0.0.1', '-keyout', key, '-out', cert],
      ],
      { stdio: 'ignore' },
    );
    return { key: readFileSync(key), cert: readFileSync(cert) };
  } finally {
    rmSync(directory, { recursive: true });
  }
}
