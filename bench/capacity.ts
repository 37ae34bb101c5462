/**
 * `node bench/capacity.ts [--measure] [--write]`: the maximum load of several gateways on one PostgreSQL, and the
 * resource that limits it. Computed from measured processor times; `--measure` measures them again. Waiting times are
 * assumed.
 */
import { execFileSync } from 'node:child_process';
import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { parseArgs } from 'node:util';
import { heartbeatOf, makeGround, startGateway } from './gateway.ts';
import { runLoad } from './load.ts';
import { startPostgres } from './postgres.ts';
import { scheduled } from './processes.ts';
import { changeMicros } from './publish.ts';
import { writeCapacity } from './results.ts';
import { fillPostgres } from './rows/postgres-rows.ts';

/** Processor times in µs: `heartbeat` and `change` of a gateway, the others of PostgreSQL. */
type Costs = { date: string; heartbeat: number; change: number } & PostgresCosts;
type LookUpCosts = { lookUpStatement: number; lookUpToken: number };
type TouchCosts = { touchTransaction: number; touchBox: number };
type PostgresCosts = LookUpCosts & TouchCosts & { publishTransaction: number; readPublishedBox: number };

const { values } = parseArgs({
  options: { measure: { type: 'boolean', default: false }, write: { type: 'boolean', default: false } },
});
const file = join(import.meta.dirname, 'postgres-costs.json');
if (values.measure) writeFileSync(file, `${JSON.stringify(await measureCosts(), null, 2)}\n`);
const costs: Costs = JSON.parse(readFileSync(file, 'utf8'));

/**
 * Assumptions: each gateway has one core, network and disk are in the same rack, and wg-easy has few or many peers.
 */
const assumed = { processes: 10, databaseCores: 4, roundTripMs: 0.3, syncMs: 1, registrationMs: 100, manyPeersMs: 410 };
/**
 * The store's limits: tokens per look-up, boxes per heartbeat write, connections per process, statements per change.
 */
const store = { tokens: 256, boxes: 500, connections: 7, statements: 8 };

const { processes, databaseCores, roundTripMs, syncMs, registrationMs, manyPeersMs } = assumed;
const heartbeatInPostgres =
  costs.lookUpToken + costs.lookUpStatement / store.tokens + costs.touchBox + costs.touchTransaction / store.boxes;
const changeInPostgres = costs.publishTransaction + processes * costs.readPublishedBox;
const limits: Record<string, Record<string, number>> = {
  heartbeats: { gateways: processes / costs.heartbeat, PostgreSQL: databaseCores / heartbeatInPostgres },
  publishes: {
    gateways: processes / costs.change,
    PostgreSQL: databaseCores / changeInPostgres,
    connections: (processes * store.connections) / (store.statements * roundTripMs + syncMs) / 1000,
  },
  registrations: { 'tunnel manager': 1 / registrationMs / 1000 },
  'registrations with 253 peers': { 'tunnel manager': 1 / manyPeersMs / 1000 },
};

const lines = [
  `Measured ${costs.date}, processor times in µs: ${JSON.stringify({ ...costs, date: undefined })}.`,
  `Assumed: ${JSON.stringify(assumed)}. Each figure is the limit of one resource that does nothing else.`,
  '',
  '| what | most a second, the first limit first |',
  '| --- | --- |',
  ...Object.entries(limits).map(([what, perMicro]) => {
    const sorted = Object.entries(perMicro).sort(([, a], [, b]) => a - b);
    return `| ${what} | ${sorted.map(([name, limit]) => `${name} ${Number((limit * 1e6).toPrecision(3))}`).join(', ')} |`;
  }),
];
console.log(lines.join('\n'));
if (values.write) writeCapacity(lines.join('\n'));

/** Runs each load twice, the first time as a warm-up. */
async function measureCosts(): Promise<Costs> {
  const postgres = await startPostgres();
  if (postgres === null) throw new Error('PostgreSQL is not installed here');
  const ground = makeGround({ GATEWAY_STORE: postgres.url });
  const gateway = await startGateway(ground);
  const callers = fillPostgres(postgres);
  const load = { requests: 20_000, connections: 32, bytes: callers.map(heartbeatOf) };
  await runLoad(gateway, load);
  const { cpuMicros } = await runLoad(gateway, load);
  const pairs = 100;
  await changeMicros(gateway, callers, { pairs, connections: 4 });
  const before = scheduled(gateway.pid).ran;
  await changeMicros(gateway, callers, { pairs, connections: 4 });
  const change = Math.round((scheduled(gateway.pid).ran - before) / 1000 / (pairs * 2));
  await gateway.stop();
  const program = join(import.meta.dirname, 'subjects', 'postgres-costs.ts');
  const argv = ['--no-warnings', program, postgres.url, String(postgres.pid)];
  const run = (): PostgresCosts => JSON.parse(execFileSync(process.execPath, argv, { encoding: 'utf8' }));
  run();
  const date = new Date().toISOString().slice(0, 10);
  const measured = { date, heartbeat: Math.round(cpuMicros), change, ...run() };
  await postgres.stop();
  ground.dispose();
  return measured;
}
