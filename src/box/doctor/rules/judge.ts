import { type Finding, ok, problem, unknown } from '../../rules/findings/finding.ts';

const mostOffsetMs = 60_000;

/** @param tested - the oldest version that boxgate is tested with, major and minor */
export function judgeVersion(about: string, text: string, tested: readonly [number, number]): Finding {
  const found = /(\d{1,5})\.(\d{1,5})/.exec(text);
  if (found === null) return unknown(about, `its version is not understood: ${text.slice(0, 80)}`);
  const [, major, minor] = found;
  if (comparable(major, minor) >= comparable(...tested)) return ok(about, `version ${text}`);
  return problem(
    about,
    `version ${text} is older than ${tested.join('.')}, the oldest that boxgate is tested with: upgrade it`,
  );
}

/** Parts of a version have at most five digits. */
function comparable(major: unknown, minor: unknown): number {
  return Number(major) * 1e5 + Number(minor);
}

/** @param offsetMs - how far this clock is ahead of another machine's; `null` if no machine was asked */
export function judgeClock(offsetMs: number | null, isSynchronized: boolean | null): Finding {
  const about = 'clock';
  const advice = 'switch on time synchronization: timedatectl set-ntp true';
  if (offsetMs !== null && Math.abs(offsetMs) > mostOffsetMs) {
    const seconds = Math.round(Math.abs(offsetMs) / 1000);
    const where = offsetMs > 0 ? 'ahead of' : 'behind';
    return problem(
      about,
      `it is ${seconds} s ${where} the clock of another machine, so certificates and logins fail: ${advice}`,
    );
  }
  if (isSynchronized === false) return problem(about, `nothing keeps it right: ${advice}`);
  if (isSynchronized === null && offsetMs === null)
    return unknown(about, 'no other clock could be asked: is this box connected to the internet?');
  return ok(about, offsetMs === null ? 'it is synchronized' : 'it agrees with that of another machine');
}

export function judgeMode(path: string, mode: number): Finding | null {
  if ((mode & 0o077) === 0) return null;
  return problem(
    'permissions',
    `other users can use ${path} (mode ${(mode & 0o777).toString(8)}), which has secrets: chmod 600 ${path}`,
  );
}

/** @param found - the addresses of the name; @param own - those of this machine */
export function judgeName(host: string, found: readonly string[], own: readonly string[]): Finding {
  const about = 'name';
  if (found.length === 0)
    return problem(
      about,
      `${host} has no address: make it at your router or provider, or take it out of BOX_ALLOWED_HOSTS`,
    );
  if (found.some((address) => own.includes(address))) return ok(about, `${host} leads to this machine`);
  // The address may be that of a router that passes requests on.
  return unknown(about, `${host} leads to ${found.slice(0, 3).join(', ')}, which is no address of this machine`);
}
