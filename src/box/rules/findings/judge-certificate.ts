import { type Finding, ok, problem } from './finding.ts';

const soonMs = 7 * 24 * 60 * 60 * 1000;

/** @param distrust - why a browser would not trust the certificate; `null` if it would */
export function judgeCertificate(host: string, distrust: string | null, until: Date | null, now: Date): Finding {
  const about = 'certificate';
  if (until !== null && until.getTime() < now.getTime())
    return problem(
      about,
      `that of ${host} ended on ${dayOf(until)}: look into the log of the proxy for why it was not renewed`,
    );
  if (distrust !== null)
    return problem(
      about,
      `browsers warn of that of ${host} (${distrust}): let the proxy get one for a name that it has in public, or trust its authority on your devices`,
    );
  if (until !== null && until.getTime() - now.getTime() < soonMs)
    return problem(
      about,
      `that of ${host} ends on ${dayOf(until)}: look into the log of the proxy for why it is not renewed`,
    );
  return ok(about, `that of ${host} is trusted${until === null ? '' : `, until ${dayOf(until)}`}`);
}

function dayOf(date: Date): string {
  return date.toISOString().slice(0, 10);
}
