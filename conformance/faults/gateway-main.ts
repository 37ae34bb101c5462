/**
 * `node conformance/faults/gateway-main.ts [NAME…]` holds the suite of the gateway against every named fault: the check
 * that the fault's row names has to fail. `--write` puts the table into STRENGTH.md. It is no part of the tests, which
 * it would make a minute longer.
 */
import { availableParallelism } from 'node:os';
import { join } from 'node:path';
import { levelOf, type Result } from '../check.ts';
import { splitCommandLine } from '../command-line.ts';
import { gatewayApi } from '../gateway/api.ts';
import { makeJudge } from '../judge.ts';
import type { Level } from '../rules.ts';
import { runChecks } from '../runner.ts';
import type { Fault } from './fault.ts';
import { gatewayFaults } from './gateway-faults.ts';
import { writeSection } from './strength.ts';

const command = splitCommandLine(process.env.FAULTS_EXEC ?? 'node src/cli/boxgate.cjs gateway serve');
const judges = { must: makeJudge(gatewayApi.contract, false), choice: makeJudge(gatewayApi.contract, true) };

/** The results of the checks of one level; a must counts as it does for any implementation, without the choices. */
function run(level: Level, ids: ReadonlySet<string>, fault: string, jobs: number): Promise<Result[]> {
  const program = join(import.meta.dirname, 'faulty-gateway.ts');
  const checks = gatewayApi.checks.filter((check) => ids.has(check.id) && levelOf(check) === level);
  return runChecks(checks, {
    api: gatewayApi,
    argv: [process.execPath, program, fault, ...command],
    judge: () => judges[level],
    profile: level === 'choice',
    seed: 1,
    jobs,
    timeoutMs: 60_000,
    startTimeoutMs: 30_000,
    deviations: new Map(),
  }).results;
}

/** The result of the check that a fault has to be noticed by. */
async function resultOf({ name, kills }: Fault): Promise<Result | undefined> {
  const ids = new Set([kills]);
  const [result] = [...(await run('must', ids, name, 1)), ...(await run('choice', ids, name, 1))];
  return result;
}

/** Without a fault every check passes, or else what it says of one means nothing. */
async function areSound(faults: readonly Fault[]): Promise<boolean> {
  const ids = new Set(faults.map((fault) => fault.kills));
  const jobs = availableParallelism();
  const results = [...(await run('must', ids, 'none', jobs)), ...(await run('choice', ids, 'none', jobs))];
  const wrong = results.filter((result) => result.outcome !== 'pass');
  for (const { check, reason } of wrong)
    process.stdout.write(`${check.id} fails without a fault: ${reason}\n`);
  return wrong.length === 0;
}

const isKilled = (outcome: string) => outcome === 'fail' || outcome === 'timeout';

async function main(args: string[]): Promise<number> {
  const names = args.filter((arg) => !arg.startsWith('--'));
  const chosen = gatewayFaults.filter((fault) => names.length === 0 || names.includes(fault.name));
  if (!(await areSound(chosen))) return 1;
  const queue = [...chosen];
  const rows = new Map<string, string>();
  const worker = async () => {
    for (let fault = queue.shift(); fault !== undefined; fault = queue.shift()) {
      const outcome = (await resultOf(fault))?.outcome ?? 'no such check';
      rows.set(fault.name, outcome);
      if (!isKilled(outcome)) process.stdout.write(`${fault.name}: ${fault.kills} comes out as ${outcome}\n`);
    }
  };
  await Promise.all(Array.from({ length: availableParallelism() }, worker));
  const killed = chosen.filter((fault) => isKilled(rows.get(fault.name) ?? ''));
  process.stdout.write(`${killed.length} of ${chosen.length} faults are noticed\n`);
  if (args.includes('--write')) writeSection('The gateway', table(chosen, rows));
  return killed.length === chosen.length ? 0 : 1;
}

function table(faults: Fault[], rows: ReadonlyMap<string, string>): string {
  const lines = faults.map(({ name, kills }) => {
    return `| ${name} | ${kills} | ${isKilled(rows.get(name) ?? '') ? 'yes' : 'no'} |`;
  });
  const head = [
    `${faults.length} faulty gateways, each a right gateway but for one thing that a proxy before it changes.`,
    '',
    'Written by `npm run faults:gateway -- --write`.',
    '',
    '| fault | check that notices it | noticed |',
    '| ----- | --------------------- | ------- |',
  ];
  return `${[...head, ...lines].join('\n')}\n`;
}

process.exitCode = await main(process.argv.slice(2));
