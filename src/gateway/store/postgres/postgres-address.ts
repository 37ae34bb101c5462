import { createPrivateKey, X509Certificate } from 'node:crypto';
import { readFileSync } from 'node:fs';
import type { ConnectionOptions } from 'node:tls';
import type { ClientConfig } from 'pg';
import { requireAccess } from '../../../lib/files/owner.ts';
import { trustSystemCertificates } from '../../../lib/network/system-certificates.ts';
import { StoreFailed } from '../../ports.ts';

/**
 * The address of the store for the driver, which would print warnings about `sslmode` and would show the address in its
 * errors. Every mode but `disable` and `no-verify` verifies the server's certificate, unless `uselibpqcompat=true`
 * is beside `prefer`, or with `require` and no authority. Reads the files that the address names.
 */
export function readAddress(text: string): Pick<ClientConfig, 'connectionString' | 'ssl'> {
  const url = URL.parse(text);
  if (url === null) throw new StoreFailed('the address of the store is no URL');
  const take = (name: string) => {
    const value = url.searchParams.get(name);
    url.searchParams.delete(name);
    return value;
  };
  const [mode, root] = [take('sslmode'), url.searchParams.get('sslrootcert')];
  const isLenient = take('uselibpqcompat') === 'true' && (mode === 'prefer' || (mode === 'require' && root === null));
  const ca = readPem('sslrootcert', take('sslrootcert'), (pem) => new X509Certificate(pem));
  const cert = readPem('sslcert', take('sslcert'), (pem) => new X509Certificate(pem));
  const key = readPem('sslkey', take('sslkey'), createPrivateKey);
  if (cert !== null && key !== null && !new X509Certificate(cert).checkPrivateKey(createPrivateKey(key))) {
    throw new StoreFailed('the address of the store names an sslkey that is not the key of its sslcert');
  }
  const connectionString = url.href;
  if (mode === 'disable') return { connectionString, ssl: false };
  if (mode === null && root === null && cert === null) return { connectionString };
  trustSystemCertificates();
  const ssl: ConnectionOptions = {
    rejectUnauthorized: mode !== 'no-verify' && !isLenient,
    ...(ca === null ? {} : { ca }),
    ...(cert === null ? {} : { cert }),
    ...(key === null ? {} : { key }),
    // Without an authority of its own, anybody with a public certificate could be the server.
    ...(mode === 'verify-ca' && ca !== null ? { checkServerIdentity: () => undefined } : {}),
  };
  return { connectionString, ssl };
}

function readPem(name: string, path: string | null, parse: (pem: string) => unknown): string | null {
  if (path === null || path === 'system') return null;
  const fail = (problem: string): never => {
    throw new StoreFailed(`the address of the store names ${name}=${path}: ${problem}`);
  };
  let pem: string;
  try {
    requireAccess(path, 4);
    pem = readFileSync(path, 'utf8');
  } catch (error) {
    const { code, message } = error as NodeJS.ErrnoException;
    return fail(code === 'ENOENT' ? 'there is no such file' : message);
  }
  try {
    parse(pem);
  } catch {
    fail(`it holds no ${name === 'sslkey' ? 'private key without a passphrase' : 'certificate'} in the form PEM`);
  }
  return pem;
}
