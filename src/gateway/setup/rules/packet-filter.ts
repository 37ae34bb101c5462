import { type NeededPort, publicPorts } from './listeners.ts';

/**
 * Reads `nft list ruleset`. Returns a note for each chain that refuses what no rule lets in, if no rule of its table names
 * the ports of a gateway. It is no verdict: rules may let them in by other facts.
 */
export function packetFilterNotes(ruleset: string): string[] {
  return ruleset.split(/^table /m).flatMap((table) => {
    const [family = '', name = ''] = table.split(' ', 2);
    const letIn = table.split('\n').filter((line) => / dport .*\b(?:accept|jump|goto)\b/.test(line));
    if (publicPorts.every((needed) => letIn.some((line) => namesPort(line, needed)))) return [];
    return table
      .split('\n\tchain ')
      .slice(1)
      .filter(refusesTheRest)
      .map((chain) => {
        const [called = ''] = chain.split(' ', 1);
        return `the packet filter refuses what it does not let in (nft list chain ${family} ${name} ${called}), and whether that is all of 80/tcp, 443/tcp and 51820/udp is for you to judge`;
      });
  });
}

/** Whether a chain for what comes in has the policy `drop`, or ends in a rule without a condition that refuses. */
function refusesTheRest(chain: string): boolean {
  if (!/\bhook input\b/.test(chain)) return false;
  if (/\bpolicy drop;/.test(chain)) return true;
  const rules = chain.slice(0, chain.indexOf('}\n')).trim();
  const last = rules
    .slice(rules.lastIndexOf('\n') + 1)
    .trim()
    .replace(/^counter packets \d+ bytes \d+ /, '');
  return /^(?:drop|reject|xt target "REJECT")/.test(last);
}

/** `tcp dport 80 accept`, `tcp dport { 80, 443 } accept`, `udp dport 51820-51830 accept`. */
function namesPort(line: string, { port, protocol }: NeededPort): boolean {
  const [, only, single = '', many = single] = /\b(tcp|udp|th) dport (?:([\d-]+)|\{([^}]*)\})/.exec(line) ?? [];
  if (only !== protocol && only !== 'th') return false;
  return many.split(',').some((range) => {
    const [first = 0, last = first] = range.split('-').map(Number);
    return first <= port && port <= last;
  });
}
