import { execFileSync } from 'node:child_process';
import { join } from 'node:path';
import { heartbeatOf, makeGround, startGateway } from '../gateway.ts';
import { runLoad } from '../load.ts';
import { startPostgres } from '../postgres.ts';
import { fillPostgres } from '../postgres-rows.ts';
import { scheduled } from '../processes.ts';
import { changeMicros } from '../publish.ts';
import type { Costs } from './fleet.ts';

type Measured = Omit<Costs, 'roundTrip' | 'sync' | 'manager'>;

/** Processor times on this machine; null where PostgreSQL is not installed. Waiting is not measured: a network decides it. */
export async function measureCosts(): Promise<Measured | null> {
  const postgres = await startPostgres();
  if (postgres === null) return null;
  const ground = makeGround({ GATEWAY_STORE: postgres.url });
  const gateway = await startGateway(ground);
  const callers = fillPostgres(postgres);
  const load = { requests: 20_000, connections: 32, bytes: callers.map(heartbeatOf) };
  await runLoad(gateway, load);
  const { cpuMicros: heartbeat } = await runLoad(gateway, load);
  const pairs = 100;
  await changeMicros(gateway, callers, { pairs, connections: 4 });
  const before = scheduled(gateway.pid).ran;
  await changeMicros(gateway, callers, { pairs, connections: 4 });
  const change = (scheduled(gateway.pid).ran - before) / 1000 / (pairs * 2);
  await gateway.stop();
  const program = join(import.meta.dirname, '..', 'subjects', 'postgres-costs.ts');
  const measure = (): Omit<Measured, 'heartbeat' | 'change'> =>
    JSON.parse(
      execFileSync(process.execPath, ['--no-warnings', program, postgres.url, String(postgres.pid)], {
        encoding: 'utf8',
      }),
    );
  measure(); // Pages in memory, plans made.
  const costs = { heartbeat: Math.round(heartbeat), change: Math.round(change), ...measure() };
  await postgres.stop();
  ground.dispose();
  return costs;
}
