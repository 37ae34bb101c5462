import { type NeededPort, publicPorts } from './listeners.ts';

type Row = { text: string; to: string; isAllowed: boolean; isSix: boolean };

/** Whether a port is open for everybody; `by` is the rule that closes it, null if none names the port. */
type Verdict = { state: 'open' | 'closed' | 'unclear'; by: string | null };

const mostRows = 30;

/**
 * Judges the output of `ufw status`, with `verbose` or without. Rules that depend on more than a port and its protocol
 * are shown without a verdict.
 */
export function ufwReport(status: string): { problems: string[]; notes: string[] } {
  if (!/^Status: active/m.test(status)) return { problems: [], notes: [] };
  const rows = status.split('\n').flatMap(rowOf);
  const openByDefault = /^Default: allow \(incoming\)/m.test(status);
  const verdicts = publicPorts.map((needed) => ({ needed, verdict: verdictOn(needed, rows, openByDefault) }));
  const isUnclear = verdicts.some(({ verdict }) => verdict.state === 'unclear');
  const shown = rows.slice(0, mostRows).map(({ text }) => text);
  return {
    problems: verdicts.flatMap(({ needed: { port, protocol }, verdict: { state, by } }) =>
      state === 'closed'
        ? [
            `ufw keeps ${port}/${protocol} closed: ${by === null ? '' : `delete its rule "${by}", then `}ufw allow ${port}/${protocol}`,
          ]
        : [],
    ),
    notes: isUnclear
      ? [
          `ufw is on, and whether it lets everybody in at 80/tcp, 443/tcp and 51820/udp, over IPv4 and IPv6, is for you to judge: ${shown.join('; ')}`,
        ]
      : [],
  };
}

/** A rule for what comes in from everywhere. Rules for some sources open a port for nobody else, and close it for nobody else. */
function rowOf(line: string): Row[] {
  const action = / (ALLOW|LIMIT|DENY|REJECT)(?: IN)? (?!OUT|FWD)/.exec(line);
  if (action === null) return [];
  const from = line.slice(action.index + action[0].length).trim();
  if (!from.startsWith('Anywhere')) return [];
  const isWhole = /^Anywhere(?:\/\w+)?(?: \(v6\))?(?:$| +[#(])/.test(from);
  const to = line.slice(0, action.index).trim() + (isWhole ? '' : ` from ${from}`);
  const isAllowed = action[1] === 'ALLOW' || action[1] === 'LIMIT';
  return [{ text: line.trim().replace(/ +/g, ' '), to, isAllowed, isSix: line.includes('(v6)') }];
}

/** A server whose ufw leaves IPv6 alone has no rows for it. */
function verdictOn(needed: NeededPort, rows: readonly Row[], openByDefault: boolean): Verdict {
  const four = firstMatch(
    needed,
    rows.filter(({ isSix }) => !isSix),
    openByDefault,
  );
  const sixRows = rows.filter(({ isSix }) => isSix);
  const six = sixRows.length === 0 ? four : firstMatch(needed, sixRows, openByDefault);
  return four.state === six.state ? four : { state: 'unclear', by: null };
}

/** The first rule that matches counts. One that may match changes nothing if the rules after it say the same. */
function firstMatch(needed: NeededPort, rows: readonly Row[], openByDefault: boolean): Verdict {
  const otherwise: Verdict = { state: openByDefault ? 'open' : 'closed', by: null };
  return rows.reduceRight((rest, { text, to, isAllowed }) => {
    const matches = covers(to, needed);
    const state = isAllowed ? 'open' : 'closed';
    if (matches === 'no' || rest.state === state) return matches === 'yes' && !isAllowed ? { state, by: text } : rest;
    return matches === 'yes' ? { state, by: isAllowed ? null : text } : { state: 'unclear', by: null };
  }, otherwise);
}

/** Reads the ports of a rule, such as `80,443/tcp (Nginx Full)`, `51820:51830/udp`, `Anywhere` and `443 on eth0`. */
function covers(to: string, { port, protocol }: NeededPort): 'yes' | 'no' | 'maybe' {
  const [named = ''] = to.split(/ \(| on /, 1);
  const [, ports = '', only = protocol] = /^(Anywhere|[\d,:]+)(?:\/(\w+))?$/.exec(named) ?? [];
  // The name of an application, or an address of this server.
  if (ports === '') return 'maybe';
  const isCovered = ports === 'Anywhere' || ports.split(',').some((range) => isWithin(port, range));
  if (only !== protocol || !isCovered) return 'no';
  return to.includes(' on ') ? 'maybe' : 'yes';
}

function isWithin(port: number, range: string): boolean {
  const [first = 0, last = first] = range.split(':').map(Number);
  return first <= port && port <= last;
}
