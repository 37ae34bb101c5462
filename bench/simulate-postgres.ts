/**
 * `node bench/simulate-postgres.ts [--measure] [--seed N] [--write]`: what ten gateways on one PostgreSQL carry, and what gives
 * way first. A simulation: processor times were measured (`--measure` does so anew and writes them down), everything
 * else is assumed and printed. The same seed and the same costs give the same table.
 */
import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { parseArgs } from 'node:util';
import { writeSimulated } from './results.ts';
import { type Costs, type Load, type Seen, simulate } from './simulation/fleet.ts';

const { values } = parseArgs({
  options: {
    measure: { type: 'boolean', default: false },
    seed: { type: 'string', default: '1' },
    write: { type: 'boolean', default: false },
  },
});
const file = join(import.meta.dirname, 'simulation', 'costs.json');
if (values.measure) await writeCosts();

const measured: Omit<Costs, 'roundTrip' | 'sync' | 'manager'> = JSON.parse(readFileSync(file, 'utf8'));
/** Gateways and database in one rack; a disk that keeps its promise; wg-easy 15.4 with few and with many peers. */
const waits = { roundTrip: 300, sync: 1000, manager: 100_000 };
const managerWithManyPeers = 410_000;
const usual: Load = {
  processes: 10,
  databaseCores: 4,
  boxes: 100_000,
  heartbeatSeconds: 60,
  publishesPerSecond: 5,
  registrationsPerSecond: 1,
};

type Scenario = { name: string; load?: Partial<Load>; costs?: Partial<Costs> };

const scenarios: readonly Scenario[] = [
  ...[10_000, 100_000, 1_000_000, 2_000_000, 4_000_000, 6_000_000, 10_000_000].map((boxes) => ({
    name: `${boxes.toLocaleString('en-US').replaceAll(',', ' ')} boxes`,
    load: { boxes },
  })),
  ...[1, 2].map((databaseCores) => ({
    name: `1 000 000 boxes, PostgreSQL with ${databaseCores} core${databaseCores === 1 ? '' : 's'}`,
    load: { boxes: 1_000_000, databaseCores },
  })),
  ...[50, 200, 500].map((publishesPerSecond) => ({
    name: `${publishesPerSecond} publishes a second`,
    load: { publishesPerSecond },
  })),
  ...[5, 9, 12].map((registrationsPerSecond) => ({
    name: `${registrationsPerSecond} registrations a second`,
    load: { registrationsPerSecond },
  })),
  {
    name: '2 registrations a second, 253 peers',
    load: { registrationsPerSecond: 2 },
    costs: { manager: managerWithManyPeers },
  },
  {
    name: '3 registrations a second, 253 peers',
    load: { registrationsPerSecond: 3 },
    costs: { manager: managerWithManyPeers },
  },
];

const lines = [
  assumptions(),
  '| load | heartbeats/s | tokens a look-up | heartbeat p50 / p99 | publish p99 | registration p99 | busiest | falls behind |',
  '| --- | --- | --- | --- | --- | --- | --- | --- |',
  ...scenarios.map(({ name, load, costs }) =>
    lineOf(name, simulate({ ...usual, ...load }, { ...measured, ...waits, ...costs }, Number(values.seed))),
  ),
];
console.log(lines.join('\n'));
if (values.write) writeSimulated(lines.join('\n'));

function assumptions(): string {
  const { processes, databaseCores, boxes, heartbeatSeconds, publishesPerSecond, registrationsPerSecond } =
    usual;
  return [
    `Measured processor times in µs: ${JSON.stringify(measured)}.`,
    `Assumed: ${processes} gateways with a core each, PostgreSQL with ${databaseCores} cores, ${waits.roundTrip} µs there and back,`,
    `${waits.sync} µs for a sync, ${waits.manager / 1000} ms of the tunnel manager for a registration (${managerWithManyPeers / 1000} ms with 253 peers);`,
    `unless a line says otherwise ${boxes} boxes that send a heartbeat every ${heartbeatSeconds} s, ${publishesPerSecond} publishes`,
    `and ${registrationsPerSecond} registration a second, arriving at random. Seed ${values.seed}.`,
    '',
  ].join('\n');
}

function lineOf(name: string, seen: Seen): string {
  const [busiest = ['nothing', 0]] = Object.entries(seen.utilisation).sort(([, a], [, b]) => b - a);
  const [what, share] = busiest;
  const told = `${what} ${Math.round(share * 100)} %`;
  const behind = seen.fallsBehind.length === 0 ? 'nothing' : seen.fallsBehind.join(', ');
  const ms = (time: number) =>
    Number.isNaN(time) ? '–' : `${time < 10 ? time.toFixed(1) : Math.round(time)} ms`;
  return `| ${[
    name,
    Math.round(seen.heartbeatsPerSecond),
    seen.tokensPerStatement.toFixed(1),
    `${ms(seen.heartbeatMs.p50)} / ${ms(seen.heartbeatMs.p99)}`,
    ms(seen.publishMs.p99),
    ms(seen.registrationMs.p99),
    told,
    behind,
  ].join(' | ')} |`;
}

async function writeCosts(): Promise<void> {
  const { measureCosts } = await import('./simulation/measure-costs.ts');
  const costs = await measureCosts();
  if (costs === null) throw new Error('PostgreSQL is not installed here');
  writeFileSync(file, `${JSON.stringify(costs, null, 2)}\n`);
}
