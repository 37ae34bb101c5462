/**
 * What to add to an error of TLS that a wrong clock of this machine may cause; empty for all others. A machine without a
 * battery for its clock starts in the past.
 * @param code - such as `CERT_NOT_YET_VALID`
 */
export function clockHint(code: string, now = new Date()): string {
  if (code !== 'CERT_NOT_YET_VALID' && code !== 'CERT_HAS_EXPIRED') return '';
  return `; the clock of this machine says ${now.toISOString()}: if that is wrong, run timedatectl set-ntp true`;
}
