import { getCACertificates, setDefaultCACertificates } from 'node:tls';

let isTrusted = false;

/**
 * Makes HTTPS requests of this process trust the system's certificate store beside the certificates of Node.js. Reading
 * the store takes a moment, so this is called before an HTTPS request and not at a start. It reads the store once.
 * choice/box/334
 */
export function trustSystemCertificates(): void {
  if (isTrusted) return;
  isTrusted = true;
  // Most systems keep the certificates both in one file and in one file each.
  setDefaultCACertificates([...new Set([...getCACertificates('default'), ...getCACertificates('system')])]);
}
