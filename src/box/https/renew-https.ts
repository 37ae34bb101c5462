import type { CommandResult } from '../../lib/command-result.ts';
import { StorageFailed } from '../core.ts';
import type { HttpsBox } from './https-box.ts';
import { CaddyFailed, CertificateFailed } from './ports.ts';

/** What `boxgate-https.service` does each day: renews the certificate if it is due, and lets Caddy read it. */
export async function renewHttps({ https }: Pick<HttpsBox, 'https'>): Promise<CommandResult> {
  const setting = https.setting();
  if (setting === null || setting.certificate.by === 'local')
    return { status: 0, text: 'there is no certificate to renew' };
  const { domain, caddyfile, certificate } = setting;
  try {
    const pem = await https.certificates.obtain({ domain, certificate });
    return await https.inTurn(async () => {
      const isNew = await https.keepCertificate(pem);
      // Caddy does not watch the file. After a renewal that could not be read, the next day asks for it again.
      await https.caddy.reload(caddyfile, true);
      return { status: 0, text: isNew ? 'the certificate was renewed' : 'the certificate is not due yet' };
    });
  } catch (error) {
    const isKnown = [CaddyFailed, CertificateFailed, StorageFailed].some((one) => error instanceof one);
    if (!isKnown) throw error;
    return { status: 1, text: (error as Error).message };
  }
}
