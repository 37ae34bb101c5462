import type { Finding, HostAnswer } from './diagnosis.ts';

const dayMs = 24 * 60 * 60 * 1000;
/** Traefik renews a certificate of 90 days when it has 30 left. */
const soonMs = 20 * dayMs;
/** Traefik looks once a day whether a certificate has to be renewed. */
const leastMs = dayMs;

/**
 * Certificates that should have been renewed: with fewer than 20 days left, and of a shorter one with less than a quarter of
 * its time, or a day. One finding for each certificate, whatever the number of its hosts.
 */
export function certificateFindings(answers: readonly HostAnswer[], now: number): Finding[] {
  const found = new Map<string, { host: string; until: number; others: number }>();
  for (const { host, distrust, certificateFrom: from, certificateUntil: until, certificateId: id } of answers) {
    if (distrust !== null || from === null || until === null) continue;
    if (!endsSoon(from.getTime(), until.getTime(), now)) continue;
    const first = found.get(id) ?? { host, until: until.getTime(), others: -1 };
    found.set(id, { ...first, others: first.others + 1 });
  }
  return [...found].map(([id, { host, until, others }]) => {
    const more = others === 0 ? '' : ` (and of ${others} more)`;
    const text = `its certificate${more} ends at ${new Date(until).toISOString()}, in ${timeLeft(until - now)}, and has not been renewed: see the proxy's log for why`;
    return { topic: `certificate ${id}`, about: `https://${host}`, text };
  });
}

function endsSoon(from: number, until: number, now: number): boolean {
  return until - now < Math.max(leastMs, Math.min(soonMs, (until - from) / 4));
}

function timeLeft(ms: number): string {
  const hours = Math.max(0, Math.floor(ms / 3_600_000));
  return hours < 48 ? `${hours} hours` : `${Math.floor(hours / 24)} days`;
}
