import { checkServerIdentity, connect } from 'node:tls';
import { trustSystemCertificates } from '../../../lib/system-certificates.ts';
import type { Certificate } from '../../rules/setup/certificate.ts';

const timeoutMs = 5000;

/** The certificate that this server's proxy shows for a name; null if it does not answer. */
export function certificateFor(servername: string, port = 443): Promise<Certificate | null> {
  trustSystemCertificates();
  return new Promise((resolve) => {
    // An untrusted certificate is an answer, too.
    const socket = connect({ host: '127.0.0.1', port, servername, rejectUnauthorized: false }, () => {
      const isForName = checkServerIdentity(servername, socket.getPeerCertificate()) === undefined;
      const distrust = socket.authorized ? null : String(socket.authorizationError);
      socket.destroy();
      resolve({ isForName, distrust });
    });
    socket.setTimeout(timeoutMs, () => socket.destroy());
    socket.on('error', () => undefined).on('close', () => resolve(null));
  });
}
