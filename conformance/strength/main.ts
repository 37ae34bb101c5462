/**
 * `npm run strength -- [box|gateway] [NAME…]` runs the suite against the Python implementations, started with one fault
 * at a time. Exit status 1 if a fault is not noticed.
 *
 *     --sample N   only N faults of each API, chosen by the seed
 *     --seed S     the seed; printed, random if not given
 *     --jobs N     faults at a time
 *     --browser P  a Chromium or Chrome; without it, the faults of the page are left out
 *     --write      writes STRENGTH.md; only with all faults of an API
 */
import { randomInt } from 'node:crypto';
import { availableParallelism } from 'node:os';
import { parseArgs } from 'node:util';
import { type BrowserPart, startBrowser } from '../environments/browser.ts';
import { InvalidOption, reportInvalidOption } from '../invalid-option.ts';
import type { AnyContext } from '../kernel/check.ts';
import { shuffle } from '../run/shuffle.ts';
import { boxFaults } from './box-faults.ts';
import { type FaultTable, rowsOf } from './fault.ts';
import { gatewayFaults } from './gateway-faults.ts';
import { writeSection } from './strength.ts';
import { failuresWithoutFault, tryFaults, type Verdict } from './trial.ts';

type Options = { names: string[]; sample: number; seed: number; jobs: number; write: boolean; browser?: BrowserPart };

async function main(args: string[]): Promise<number> {
  const { values, positionals } = parseArgs({
    args,
    allowPositionals: true,
    options: {
      sample: { type: 'string', default: 'Infinity' },
      seed: { type: 'string', default: String(randomInt(1e6)) },
      jobs: { type: 'string', default: String(availableParallelism()) },
      browser: { type: 'string' },
      write: { type: 'boolean', default: false },
    },
  });
  const [first = '', ...rest] = positionals;
  const api = first === 'box' || first === 'gateway' ? first : null;
  const options = {
    names: api === null ? positionals : rest,
    sample: Number(values.sample),
    seed: Number(values.seed),
    jobs: Number(values.jobs),
    write: values.write,
  };
  if (options.write && (values.browser === undefined || options.names.length > 0 || values.sample !== 'Infinity'))
    throw new InvalidOption('--write: only with all faults of an API and a --browser');
  if (!(options.sample >= 1 && options.jobs >= 1 && options.seed >= 0))
    throw new InvalidOption('--sample, --seed and --jobs: expected whole numbers');
  const tables = [boxFaults, gatewayFaults].filter((table) => api === null || table.api.name === api);
  const known = tables.flatMap(({ rows, pageRows = [] }) => [...rows, ...pageRows].map(([name]) => name));
  const unknown = options.names.filter((name) => !known.includes(name));
  if (unknown.length > 0) throw new InvalidOption(`no fault has the name ${unknown.join(', ')}`);
  if (values.sample !== 'Infinity') process.stdout.write(`--sample ${values.sample} --seed ${values.seed}\n`);
  const isBoxGood = api === 'gateway' || (await tryBox(options, values.browser));
  const isGatewayGood = api === 'box' || (await tryTable(gatewayFaults, options));
  return isBoxGood && isGatewayGood ? 0 : 1;
}

async function tryBox(options: Options, path: string | undefined): Promise<boolean> {
  if (path === undefined) process.stdout.write('the faults of the page are left out: --browser PATH tries them\n');
  if (path === undefined) return tryTable(boxFaults, options);
  const browser = await startBrowser(path);
  return tryTable(boxFaults, { ...options, browser }).finally(browser.close);
}

/** Returns whether every chosen fault is noticed. */
async function tryTable<Context extends AnyContext>(table: FaultTable<Context>, options: Options): Promise<boolean> {
  const named = rowsOf(table, options.browser !== undefined).filter(
    ([name]) => options.names.length === 0 || options.names.includes(name),
  );
  const faults = Number.isFinite(options.sample) ? shuffle(named, options.seed).slice(0, options.sample) : named;
  if (faults.length === 0) return true;
  const startedAt = performance.now();
  const failures = await failuresWithoutFault(table, faults, options);
  for (const failure of failures) process.stdout.write(`FAIL ${failure}\n`);
  if (failures.length > 0) return false;
  const verdicts = await tryFaults(table, faults, {
    ...options,
    onVerdict: (verdict) => print(table.api.name, verdict),
  });
  const seconds = Math.round((performance.now() - startedAt) / 1000);
  const missed = verdicts.filter((verdict) => verdict.missed.length > 0);
  const noticed = faults.length - missed.length;
  process.stdout.write(`${table.api.name}: ${noticed} of ${faults.length} faults noticed in ${seconds} s\n`);
  if (options.write && missed.length === 0) writeSection(table, seconds);
  return missed.length === 0;
}

/** `.ci/schedule.sh` reports lines that start with FAIL. */
function print(api: string, { fault: [name], noticedBy, missed, ignored }: Verdict): void {
  if (missed.length === 0) process.stdout.write(`${name}: noticed by ${noticedBy.join(' ')}\n`);
  else process.stdout.write(`FAIL ${api}/${name}: not noticed for ${missed.join(' ')}\n`);
  if (missed.length > 0) for (const line of ignored) process.stdout.write(`    ${line}\n`);
}

process.exitCode = await main(process.argv.slice(2)).catch(reportInvalidOption);
