import { machineReport } from './rules/machine.ts';
import { isReserved, nameReport } from './rules/records.ts';
import type { SetupPorts, SetupRequest } from './setup-ports.ts';

type CheckPorts = Pick<SetupPorts, 'observe' | 'lookUp' | 'ownAddresses' | 'prove' | 'pause' | 'now' | 'say'>;

const lookMs = 5000;
const nothing = { proven: [], proxied: [] };

/** The problems of machine and names; none if a gateway can be set up. Waits while only records are missing. */
export async function checkServer(ports: CheckPorts, request: SetupRequest): Promise<string[]> {
  const machine = machineReport(await ports.observe(request.authority.real), request.tunnelNetwork);
  const fixed = [...machine.problems, ...hostProblems(request)];
  for (const note of machine.notes) ports.say(`note: ${note}`);
  const end = ports.now() + request.dnsWaitMs;
  let said = '';
  for (;;) {
    const names = await lookAtNames(ports, request);
    const problems = [...fixed, ...names.problems];
    if (problems.length === 0) {
      for (const note of names.notes) ports.say(`note: ${note}`);
      return [];
    }
    const record =
      names.record === null ? [] : [`the record that is needed, at the DNS provider of the domain:  ${names.record}`];
    const isOver = fixed.length > 0 || request.checkOnly || ports.now() >= end;
    if (isOver) return [...problems, ...record];
    const text = [...problems, ...record].join('\n');
    if (text !== said) ports.say(`${text}\nwaiting for it; Ctrl-C ends this, and nothing has been changed`);
    said = text;
    await ports.pause(lookMs);
  }
}

const isAddress = (host: string) => /^[\d.]+$|:/.test(host);

function hostProblems({ publicHost }: SetupRequest): string[] {
  if (!isAddress(publicHost) || !isReserved(publicHost)) return [];
  return [`boxes do not reach --public-host ${publicHost}, an address of no public network: name the public one`];
}

async function lookAtNames(ports: CheckPorts, { domain, publicHost }: SetupRequest) {
  const own = [...ports.ownAddresses(), ...(isAddress(publicHost) ? [publicHost] : [])];
  // Nobody has this name, so only a wildcard record answers for it.
  const names = [`gateway.${domain}`, `boxgate-check-${Math.random().toString(36).slice(2, 12)}.${domain}`];
  const records = await ports.lookUp(names);
  const others = [...new Set(records.flatMap(({ addresses }) => addresses))].filter(
    (address) => !own.includes(address),
  );
  const proof = others.length === 0 ? nothing : await ports.prove(`gateway.${domain}`, others);
  return nameReport({ domain, records, own, ...(proof ?? nothing), couldProve: proof !== null });
}
