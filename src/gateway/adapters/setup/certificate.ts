import { checkServerIdentity, connect } from 'node:tls';
import { trustSystemCertificates } from '../../../lib/network/system-certificates.ts';
import type { Certificate } from '../../setup/rules/certificate.ts';

const timeoutMs = 5000;

/** The certificate that a proxy, this server's own one, shows for a name; null if it does not answer. */
export function certificateFor(
  servername: string,
  { address = '127.0.0.1', port = 443 } = {},
): Promise<(Certificate & { fingerprint: string }) | null> {
  trustSystemCertificates();
  return new Promise((resolve) => {
    // An untrusted certificate is an answer, too.
    const socket = connect({ host: address, port, servername, rejectUnauthorized: false }, () => {
      const shown = socket.getPeerCertificate();
      const isForName = checkServerIdentity(servername, shown) === undefined;
      const distrust = socket.authorized ? null : String(socket.authorizationError);
      socket.destroy();
      resolve({ isForName, distrust, fingerprint: shown.fingerprint256 });
    });
    socket.setTimeout(timeoutMs, () => socket.destroy());
    socket.on('error', () => undefined).on('close', () => resolve(null));
  });
}
