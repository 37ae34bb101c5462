import { type Finding, ok, problem } from './finding.ts';

const soonMs = 7 * 24 * 60 * 60 * 1000;

/** @param distrust - why a browser would not trust the certificate; `null` if it would */
export function judgeCertificate(host: string, distrust: string | null, until: Date | null, now: Date): Finding {
  const leftMs = until === null ? Number.POSITIVE_INFINITY : until.getTime() - now.getTime();
  const day = until?.toISOString().slice(0, 10);
  const look = 'look into the log of the proxy for why it';
  const trust = 'let the proxy get one for a name that it has in public, or trust its authority on your devices';
  if (leftMs < 0) return problem('certificate', `that of ${host} ended on ${day}: ${look} was not renewed`);
  if (distrust !== null) return problem('certificate', `browsers warn of that of ${host} (${distrust}): ${trust}`);
  if (leftMs < soonMs) return problem('certificate', `that of ${host} ends on ${day}: ${look} is not renewed`);
  return ok('certificate', `that of ${host} is trusted${day === undefined ? '' : `, until ${day}`}`);
}
