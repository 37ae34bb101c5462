/**
 * `node conformance/faults/gateway-main.ts [NAME…]` holds the suite of the gateway against every named fault: the check
 * that the fault's row names has to fail. `--write` puts the table into STRENGTH.md. The tests try a few of them.
 */
import { availableParallelism } from 'node:os';
import { tellWrongOption } from '../kernel/wrong-option.ts';
import { gatewayFaults } from './gateway-faults.ts';
import { refuseUnknown, writeSection } from './strength.ts';
import { type GatewayVerdict, tryGatewayFaults, unsound } from './trial-of-gateway-faults.ts';

async function main(args: string[]): Promise<number> {
  const names = args.filter((arg) => !arg.startsWith('--'));
  const chosen = gatewayFaults.filter((fault) => names.length === 0 || names.includes(fault.name));
  refuseUnknown(names, gatewayFaults);
  const jobs = availableParallelism();
  const wrong = await unsound(chosen, jobs);
  for (const { check, reason } of wrong)
    process.stdout.write(`${check.id} fails without a fault: ${reason}\n`);
  if (wrong.length > 0) return 1;
  const verdicts = await tryGatewayFaults(chosen, { jobs, onVerdict: tell });
  const noticed = verdicts.filter(({ isNoticed }) => isNoticed);
  process.stdout.write(`${noticed.length} of ${chosen.length} faults are noticed\n`);
  if (args.includes('--write')) writeSection('The gateway', table(verdicts));
  return noticed.length === chosen.length ? 0 : 1;
}

function tell({ fault, outcome, isNoticed }: GatewayVerdict): void {
  if (!isNoticed) process.stdout.write(`${fault.name}: ${fault.kills} comes out as ${outcome}\n`);
}

function table(verdicts: readonly GatewayVerdict[]): string {
  const lines = verdicts.map(
    ({ fault: { name, kills }, isNoticed }) => `| ${name} | ${kills} | ${isNoticed ? 'yes' : 'no'} |`,
  );
  const head = [
    `${verdicts.length} faulty gateways, each a right gateway but for one thing that a proxy before it changes.`,
    '',
    'Written by `npm run faults:gateway -- --write`.',
    '',
    '| fault | check that notices it | noticed |',
    '| ----- | --------------------- | ------- |',
  ];
  return `${[...head, ...lines].join('\n')}\n`;
}

process.exitCode = await main(process.argv.slice(2)).catch(tellWrongOption);
